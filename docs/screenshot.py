"""Takes docs/screenshot.png: the real screen at work on a small real bug, with the offline engine.

python docs/screenshot.py          # needs rsvg-convert (librsvg) for the .png
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from codeagent_tui.paths import Paths
from codeagent_tui.settings import PermissionMode, Settings
from codeagent_tui.tui.app import CodeAgentApp

SIZE = (118, 40)
FILES = {
    "prices.py": "def total(items):\n    result = 0\n    for item in items:\n        result -= item\n    return result\n",
    "test_prices.py": "from prices import total\n\nassert total([1, 2, 3]) == 6\nprint('1 passed')\n",
    "CODEAGENT.md": "# Prices\n- Run the tests with `python test_prices.py`.\n- Prices are whole cents.\n",
}
FACTS = ("Use uv, never pip, in this project", "The staging server is staging.example.test:8443")
REQUEST = (
    "search for `result -=` in ., then replace `result -=` with `result +=` in prices.py, then run "
    "python test_prices.py"
)


async def take(target: Path, folder: Path, home: Path) -> None:
    """Work on the bug and write what the screen shows as SVG to `target`."""
    app = CodeAgentApp(Settings(discover=False, mode=PermissionMode.ACCEPT_EDITS), Paths(home), folder)
    async with app.run_test(size=SIZE) as pilot:

        async def rest() -> None:
            while not app.host.is_open or app.host.running:
                await pilot.pause(0.05)

        await rest()
        for fact in FACTS:
            app.composer.set_text(f"/save {fact}")
            await pilot.press("enter")
            await pilot.pause(0.5)
        app.composer.set_text("/clear")
        await pilot.press("enter")
        await rest()
        app.composer.set_text(REQUEST)
        await pilot.press("enter")
        for _ in range(100):
            await pilot.pause(0.1)
            if app.screen.is_modal:
                await pilot.pause(1.0)
                await pilot.press("y")
            elif not app.host.running:
                break
        await pilot.press("f2")
        await pilot.pause(0.5)
        target.write_text(app.export_screenshot(title="CodeAgent"), encoding="utf-8")


def render(picture: Path) -> None:
    """Make a .png of the .svg `picture`, beside it."""
    if shutil.which("rsvg-convert") is None:
        raise SystemExit("There is no rsvg-convert to make the picture with.")
    # Blanks at the edges of a text would be dropped otherwise.
    svg = picture.read_text(encoding="utf-8").replace("<text ", '<text xml:space="preserve" ')
    picture.write_text(svg, encoding="utf-8")
    subprocess.run(["rsvg-convert", "-o", str(picture.with_suffix(".png")), str(picture)], check=True)


def main() -> None:
    """Take the picture."""
    picture = Path(__file__).resolve().with_name("screenshot.svg")
    with tempfile.TemporaryDirectory() as scratch:
        # So that the screen says ~/prices.
        os.environ["HOME"] = scratch
        folder = Path(scratch, "prices")
        folder.mkdir()
        for name, text in FILES.items():
            (folder / name).write_text(text, encoding="utf-8")
        asyncio.run(take(picture, folder, Path(scratch, "home")))
    render(picture)
    picture.unlink()


if __name__ == "__main__":
    main()
