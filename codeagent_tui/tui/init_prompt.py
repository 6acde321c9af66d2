"""What /init asks the agent for, once a model is connected."""

INIT_REQUEST = """\
Write a CODEAGENT.md at the root of this project: the notes that a newcomer (human or agent) needs in order to work \
here, and that cannot be seen at a glance.

First look: the README, the build and test configuration, the entry points, and a few typical source files. Then write \
at most 60 lines:
- what the project is, in one or two sentences;
- how to set it up, run it, and run its tests and checks (the exact commands, tried where that is harmless);
- how the code is laid out: the main folders and what belongs where;
- the conventions that the code really follows (naming, errors, tests, formatting);
- traps: what surprised you, what must not be touched.
State only what you have seen. If a CODEAGENT.md is there already, improve it and keep what is right.\
"""
