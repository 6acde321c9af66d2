"""The parts of the composer: the draft as a pure model, its layout, its history and its completions."""
