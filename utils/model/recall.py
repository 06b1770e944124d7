"""What recall is asked and what it answers."""

from dataclasses import dataclass

from utils.model.memory import Consent, Memory


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
    """What a member sees of what is known of them; ``rows`` newest first."""

    profile: str
    rows: tuple[Memory, ...]
    consent: Consent
