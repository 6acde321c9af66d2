"""What a summariser is told."""
