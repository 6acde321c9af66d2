"""`python -m codeagent_tui` is the same program as the `codeagent` command."""

from codeagent_tui.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
