"""What recall is asked and what it answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from utils.model.memory import Consent, Memory
from utils.model.transfer import Choices, Deed


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody an answer concerns: the speaker first, then those mentioned or replied to."""

    user_id: int
    name: str


@dataclass(frozen=True, slots=True)
class Recall:
    """What recall found: the block for the prompt, the rows in it, and whom it tells of."""

    block: str = ""
    rows: tuple[Memory, ...] = ()
    about_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """What a member sees of what is known of them; ``rows`` newest first.

    ``past`` gives, by a row's id, what that row took the place of last; ``views`` are the last
    times a moderator looked, newest first.
    """

    profile: str
    rows: tuple[Memory, ...]
    consent: Consent
    choices: Choices = field(default_factory=Choices)
    past: Mapping[int, Memory] = field(default_factory=dict)
    views: tuple[Deed, ...] = ()
