"""The memory inspector: what is remembered, what is read in, and exactly what the model will see.

Nothing here is imported before the inspector is opened for the first time (`dock` alone is).
"""
