"""Every prompt text of the agent, one file each."""
