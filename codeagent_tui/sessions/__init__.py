"""Sessions on disk: the append-only log, listing, resuming."""
