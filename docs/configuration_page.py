"""Writes docs/configuration.md from Settings and the comments of .env.example.

Run ``python -m docs.configuration_page`` after a change of either; a test compares.
"""

import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from utils.common.config import Settings

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / ".env.example"
PAGE = ROOT / "docs" / "configuration.md"
_SECTION = re.compile(r"^# --- (.+?) -+$")
_SETTING = re.compile(r"^([A-Z_]+)=")
_DOCS_LINK = re.compile(r"docs/([a-z/-]+)\.md")
_SYMBOLS = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
INTRODUCTION = """\
# Configuration

<!-- Written by `python -m docs.configuration_page` from Settings and .env.example. -->

Every setting is optional. Put settings into the file `.env` (`cp .env.example .env`), into the
environment, or into files: `/run/secrets/discord_token` or a systemd credential, named like the
setting in lower case. The environment overrides `.env`, and `.env` overrides files. Restart Kith
after a change. `python bot.py doctor` checks the settings one by one and says what to do.

What moderators choose for their server is not here: see [/setup and
/config](commands.md#moderators).
"""


class SettingEntry(NamedTuple):
    """Settings that share an explanation in .env.example."""

    section: str
    names: tuple[str, ...]
    text: str


def entries(example: str) -> Iterator[SettingEntry]:
    """Yield the settings of .env.example in order, with their comments."""
    section = ""
    comment: list[str] = []
    names: list[str] = []
    for line in [*example.splitlines(), "#"]:
        if setting := _SETTING.match(line):
            names.append(setting[1])
            continue
        if names:
            yield SettingEntry(section, tuple(names), _joined(comment))
            comment, names = [], []
        if heading := _SECTION.match(line):
            section, comment = heading[1], []
        elif line.startswith("# "):
            comment.append(line.removeprefix("# "))
        else:
            comment = []


def _joined(comment: list[str]) -> str:
    """Return a comment as one line of Markdown; indented lines are code."""
    lines = [f"`{line.strip()}`" if line.startswith("  ") else line for line in comment]
    text = " ".join(lines).replace("|", "\\|")
    return _DOCS_LINK.sub(r"[\1.md](\1.md)", text)


def default(name: str) -> str:
    """Return a setting's default value, as one writes it in .env."""
    value = Settings.model_fields[name.lower()].default
    if value is None or value == ():
        return ""
    if isinstance(value, tuple):
        value = ",".join(value)
    if isinstance(value, bool):
        value = str(value).lower()
    if isinstance(value, float):
        value = f"{value:g}"
    return f"`{value.value if isinstance(value, Enum) else value}`"


def limits(name: str) -> str:
    """Return the limits of a number, such as ``at least 1, at most 64``."""
    parts = [
        f"{words} {getattr(limit, symbol)}"
        for limit in Settings.model_fields[name.lower()].metadata
        for symbol, words in _SYMBOLS.items()
        if hasattr(limit, symbol)
    ]
    return ", ".join(parts)


def page(example: str) -> str:
    """Return the page."""
    parts, section = [INTRODUCTION], ""
    for entry in entries(example):
        if entry.section != section:
            section = entry.section
            parts.append(f"\n## {section}\n\n| setting | default | limits | meaning |\n")
            parts.append("| --- | --- | --- | --- |\n")
        cells = ["<br>".join(f"`{name}`" for name in entry.names)]
        cells += ["<br>".join(map(of, entry.names)) for of in (default, limits)]
        parts.append(f"| {' | '.join([*cells, entry.text])} |\n")
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(EXAMPLE.read_text(encoding="utf-8")), encoding="utf-8")
