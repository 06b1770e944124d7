"""The thirty conversations of ``conversations.toml``, with what must come of them."""

import tomllib
from functools import cached_property
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

DATA = Path(__file__).with_name("conversations.toml")


class TrialPart(BaseModel):
    """A table of the file; an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Line(TrialPart):
    """A message, ``days`` days after the one before it.

    It is said to Kith, who answers, except in the watched channel, where it is overheard.
    """

    by: str
    text: str
    days: int = 0
    place: Literal["general", "lounge", "staff", "watched"] = "general"


class Expected(TrialPart):
    """A note about a member; a text means it if it holds each of ``words`` ("two|2": either)."""

    by: str
    note: str
    words: tuple[str, ...]

    def means(self, text: str) -> bool:
        """Whether a memory's text says this."""
        text = text.casefold()
        return all(any(word in text for word in words.split("|")) for words in self.words)


class TrialConversation(TrialPart):
    """A conversation in a server of its own, and its outcomes.

    Judgements of the model:
        learns: must be a note at the end.
        ends: must not be a memory at the end: it was corrected, called off or forgotten.
        refuses: must not be a note at the end: a joke, hearsay, a lie.

    Promises of the program, whatever the model does:
        unnoted: no note about anybody holds this text.
        unkept: no memory of anybody, note or quote, holds it.
        silent: nothing at all is stored about these members.
        untold: the block of the last answer does not hold this text.
    """

    name: str
    lines: tuple[Line, ...]
    off: tuple[str, ...] = ()
    learns: tuple[Expected, ...] = ()
    ends: tuple[Expected, ...] = ()
    refuses: tuple[Expected, ...] = ()
    unnoted: tuple[str, ...] = ()
    unkept: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()

    @cached_property
    def members(self) -> dict[str, int]:
        """The user ids of everybody who speaks."""
        names = dict.fromkeys(line.by for line in self.lines)
        return {name: number for number, name in enumerate(names, start=101)}


def load_conversations() -> tuple[TrialConversation, ...]:
    """Return the conversations of the file."""
    tables = tomllib.loads(DATA.read_text(encoding="utf-8"))["conversation"]
    return tuple(TrialConversation.model_validate(table) for table in tables)
