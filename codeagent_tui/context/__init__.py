"""What the next request holds, when it must shrink, and how."""
