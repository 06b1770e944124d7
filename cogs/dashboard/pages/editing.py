"""What the editors of the recall policy and of write policies share."""

from collections.abc import Mapping
from dataclasses import dataclass

from cogs.dashboard.pages.layout import number
from utils.common.errors import BadInput
from utils.common.text import clean

NO_BASE_VERSION = "Open the form again: it does not say which version it changes."
REASON_NEEDED = "Say in a few words why. The list of versions shows it."


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A changed field: its label, its values and, where it has one, its path in the policy."""

    label: str
    before: str
    after: str
    path: str = ""


def base_version_of(typed: Mapping[str, str]) -> int:
    """Return the version that a form was made from. Raises BadInput if it is missing."""
    version = number(typed.get("base_version"), "A version")
    if version is None:
        raise BadInput(NO_BASE_VERSION)
    return version


def check_reason(reason: str) -> str:
    """Return a reason. Raises BadInput if it is empty."""
    if not clean(reason):  # as it is stored
        raise BadInput(REASON_NEEDED)
    return reason


def normalized(typed: str) -> object:
    """Return a form value for comparison: 0.90 equals 0.9. Pure."""
    try:
        return float(typed)
    except ValueError:
        return typed.strip()
