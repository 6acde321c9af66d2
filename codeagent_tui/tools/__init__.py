"""What the agent can do: one tool a file, each with a schema, a budget and readable errors."""
