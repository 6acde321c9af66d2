"""What was said and done: messages, the history that is sent, and the events that tell of it."""
