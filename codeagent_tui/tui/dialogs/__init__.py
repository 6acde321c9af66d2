"""Dialogs that ask the user something."""
