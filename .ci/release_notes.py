"""Print what CHANGELOG.md says about a version, for its release: `release_notes.py v0.1.0`.

Refuses a tag that is not the version in pyproject.toml, and a version without a section: a release
says what it contains, and `bot.py --version` says its tag.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def notes(tag: str, version: str, changelog: str) -> str:
    """Return the changelog's section about a tag's version, without its heading.

    Raises ValueError, with a sentence, if the tag is not "v" and the version, or if there is no
    section about it or nothing in it.
    """
    if tag != f"v{version}":
        raise ValueError(f"The tag is {tag}, but pyproject.toml says {version}: tag it v{version}.")
    section = re.search(
        rf"^## \[{re.escape(version)}\][^\n]*\n(.*?)(?=^## |\Z)",
        changelog,
        re.DOTALL | re.MULTILINE,
    )
    if section is None or not section[1].strip():
        raise ValueError(f"CHANGELOG.md says nothing about {version}: add a section [{version}].")
    return section[1].strip()


def main() -> None:
    """Print the notes of the tag that is the only argument."""
    if len(sys.argv) != 2:
        raise SystemExit("usage: release_notes.py TAG")
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    try:
        print(notes(sys.argv[1], version, (ROOT / "CHANGELOG.md").read_text("utf-8")))
    except ValueError as error:
        raise SystemExit(str(error)) from None


if __name__ == "__main__":
    main()
