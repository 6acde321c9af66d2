"""What may run without asking, what asks, and what never runs."""
