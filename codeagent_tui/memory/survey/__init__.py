"""What can be said of a repository without a model: for the first draft of its CODEAGENT.md."""
