"""Language models behind one protocol: any OpenAI-compatible server, and the offline engine."""
