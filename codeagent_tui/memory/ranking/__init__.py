"""How entries are found for a question: two rankers behind one protocol, and the indexes that make them quick."""
