"""The memory inspector."""
