"""Every prompt and persona, as Markdown files beside this one; read once, known by their hash.

A slot is written ``{{name}}``. Personas are the files under ``personas/``: one mode each.
"""

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent
_SLOT = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt with named slots; ``hash`` (16 hex digits) is kept with what it produced."""

    name: str
    text: str
    hash: str

    def fill(self, **slots: str) -> str:
        """Return the text with every slot filled. Raises KeyError when one is missing.

        Filled text is not looked at again: braces in it mean nothing.
        """
        return _SLOT.sub(lambda slot: slots[slot.group(1)], self.text)


@cache
def load(name: str) -> Prompt:
    """Read a prompt by its name without ``.md``. Raises FileNotFoundError when there is none."""
    text = (_FOLDER / f"{name}.md").read_text(encoding="utf-8").strip()
    return Prompt(name, text, hashlib.sha256(text.encode()).hexdigest()[:16])


MODES = tuple(sorted(path.stem for path in (_FOLDER / "personas").glob("*.md")))
"""The names of the personas that come with Kith, in alphabetical order."""


def persona(mode: str) -> Prompt:
    """Return a mode's persona. Raises KeyError for a mode that does not exist."""
    if mode not in MODES:
        raise KeyError(mode)
    return load(f"personas/{mode}")
