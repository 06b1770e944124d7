"""The program's version, and how it was called."""

import re
import sys
from pathlib import Path

VERSION = "0.1.0"
FROM_A_CLONE, INSTALLED = "python bot.py", "kith"


def calling_name() -> str:
    """Return what to type before a command: ``kith`` where that was typed, or the script."""
    return INSTALLED if Path(sys.argv[0]).stem.lower() == INSTALLED else FROM_A_CLONE


def as_called(text: str) -> str:
    """Return a text whose commands begin with the name that the operator typed."""
    return re.sub(rf"(?<![\w/]){re.escape(FROM_A_CLONE)}", calling_name(), text)
