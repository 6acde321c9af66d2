"""One user turn: think, act, think, until it is done."""
