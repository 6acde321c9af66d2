"""`codeagent -p`: one request without a screen, for scripts and for other programs; it never asks."""
