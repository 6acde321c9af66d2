"""CodeAgent: a terminal coding agent whose memory can be seen, trusted and edited."""

__version__ = "0.1.0"
