"""Small real implementations of the project's protocols, and a scripted server, for the tests."""
