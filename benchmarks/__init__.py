"""What is measured, one command each: `python -m benchmarks.start`, `.stream`, `.long_chat`, `.idle`, `.transcript`."""
