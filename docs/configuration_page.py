"""Writes docs/configuration.md and .env.example from the settings in utils/common/config.py.

Run ``python -m docs.configuration_page`` after a change of them; a test compares.
"""

import re
from enum import Enum
from pathlib import Path
from textwrap import indent

from utils.common.config import Settings, setting_texts

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / ".env.example"
PAGE = ROOT / "docs" / "configuration.md"
_DOCS_LINK = re.compile(r"docs/([a-z/-]+)\.md")
_SYMBOLS = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
WIDTH = 98  # of .env.example's headings
PAGE_BEGINNING = """\
# Configuration

<!-- Written by `python -m docs.configuration_page` from utils/common/config.py. -->

Every setting is optional. Put settings into the file `.env` (`cp .env.example .env`), into the
environment, or into files: `/run/secrets/discord_token` or a systemd credential, named like the
setting in lower case. The environment overrides `.env`, and `.env` overrides files. Restart Kith
after a change. `python bot.py doctor` checks the settings one by one and says what to do.

What moderators choose for their server is not here: see [/setup and
/config](commands.md#moderators).
"""
EXAMPLE_BEGINNING = """\
# Kith's settings. Copy this file to .env and fill in what you need; every line is optional.
# `python bot.py doctor` checks the settings one by one and says what to do.
#
# A secret can be in a file instead, named like its setting in lower case, such as
# /run/secrets/discord_token (containers) or a systemd credential. Leave its line empty here.
"""


def default(name: str) -> str:
    """Return a setting's default value, as one writes it in .env."""
    value = Settings.model_fields[name].default
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ",".join(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    return str(value.value if isinstance(value, Enum) else value)


def limits(name: str) -> str:
    """Return the limits of a number, such as ``at least 1, at most 64``."""
    parts = [
        f"{words} {getattr(limit, symbol)}"
        for limit in Settings.model_fields[name].metadata
        for symbol, words in _SYMBOLS.items()
        if hasattr(limit, symbol)
    ]
    return ", ".join(parts)


def page() -> str:
    """Return docs/configuration.md."""
    parts, section = [PAGE_BEGINNING], ""
    for name, text in setting_texts().items():
        if text.section != section:
            section = text.section
            parts.append(f"\n## {section}\n\n| setting | default | limits | meaning |\n")
            parts.append("| --- | --- | --- | --- |\n")
        value = default(name)
        lines = [
            f"`{line.strip()}`" if line.startswith(" ") else line
            for line in (text.summary, *text.details.splitlines())
        ]
        meaning = _DOCS_LINK.sub(r"[\1.md](\1.md)", " ".join(lines).replace("|", "\\|"))
        cells = [f"`{name.upper()}`", f"`{value}`" if value else "", limits(name), meaning]
        parts.append(f"| {' | '.join(cells)} |\n")
    return "".join(parts)


def example() -> str:
    """Return .env.example."""
    parts, section = [EXAMPLE_BEGINNING], ""
    for name, text in setting_texts().items():
        if text.section != section:
            section = text.section
            parts.append(f"\n{f'# --- {section} '.ljust(WIDTH, '-')}\n")
        comment = "\n".join(filter(None, (text.summary, text.details)))
        parts.append(f"{indent(comment, '# ')}\n{name.upper()}={default(name)}\n")
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    EXAMPLE.write_text(example(), encoding="utf-8")
