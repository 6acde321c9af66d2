"""`codeagent sessions`: the sessions on disk, from the command line."""
