"""Markdown as rows: cut into sections line by line, so that a text that grows is only read once."""
