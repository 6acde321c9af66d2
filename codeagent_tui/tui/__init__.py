"""The screen: it shows the core's events and sends it the user's intents."""
