"""The memory system: short-term, long-term and project memory behind `MemoryManager`."""
