"""What the editors of both sorts of policy share."""

from collections.abc import Mapping
from dataclasses import dataclass

from cogs.dashboard.pages.layout import number
from utils.errors import BadInput
from utils.text import clean

PREVIEW_FIRST = "Look at the preview first; what it shows is what is saved."
REASON_NEEDED = "Say in a few words why: whoever looks at the versions later will want to know."


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a diff, in words; ``path`` is what the field is called elsewhere."""

    field: str
    before: str
    after: str
    path: str = ""


def held_of(typed: Mapping[str, str]) -> int:
    """Return the version that a form was made from. Raises BadInput where it does not say so."""
    held = number(typed.get("held"), "A version")
    if held is None:
        raise BadInput(PREVIEW_FIRST)
    return held


def given(reason: str) -> str:
    """Return a reason. Raises BadInput where there is none."""
    if not clean(reason):  # as it is stored
        raise BadInput(REASON_NEEDED)
    return reason


def worth(typed: str) -> object:
    """Return what makes two ways of writing a number equal. Pure."""
    try:
        return float(typed)
    except ValueError:
        return typed.strip()
