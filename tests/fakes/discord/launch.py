"""Run a script with discord.py pointed at a fake: ``launch API GATEWAY script.py arguments``."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from .server import point_discord_py_at


def main() -> None:
    """Point discord.py at the fake and run the script as ``__main__``."""
    _, api_url, gateway_url, script, *arguments = sys.argv
    point_discord_py_at(api_url, gateway_url)
    sys.argv = [script, *arguments]
    sys.path.insert(0, str(Path(script).resolve().parent))
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main()
