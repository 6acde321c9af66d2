"""Sessions written down for others: Markdown, JSON, a page."""
