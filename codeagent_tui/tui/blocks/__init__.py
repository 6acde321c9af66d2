"""What the transcript shows: blocks that hold source text, and how each becomes rows of styled text."""
