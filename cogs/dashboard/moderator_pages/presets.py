"""Five ways to set a server up at once. Pure.

A preset names only what it changes. It never changes consent, which is announced to the members,
nor which channels are watched.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from utils.models.guild import Purpose
from utils.models.policy import WriteMode


@dataclass(frozen=True, slots=True)
class Preset:
    """A way to use Kith: the settings it chooses, by name, and how new memories are used."""

    name: str
    lead: str
    values: Mapping[str, Any]
    write_mode: WriteMode = WriteMode.AUTO


PRESETS = {
    "friends": Preset(
        "Friends",
        "A few people who know each other: Kith is friendly and remembers your stories.",
        {"mode": "friendly", "lore": True, "moderators_see_members": False},
    ),
    "gaming": Preset(
        "Gaming",
        "A community around games: dry wit, and the stories that several of you tell.",
        {"mode": "dry-wit", "lore": True, "moderators_see_members": False},
    ),
    "support": Preset(
        "Support",
        "People come with questions: Kith is helpful, and a moderator approves what it learns.",
        {"mode": "helpful", "lore": False},
        WriteMode.MANUAL,
    ),
    "study": Preset(
        "Study group",
        "People learn together: Kith is helpful and remembers what each of you works on.",
        {"mode": "helpful", "lore": False, "moderators_see_members": False},
    ),
    "quiet": Preset(
        "Quiet",
        "Kith answers only when it is mentioned, and notes no shared stories.",
        {"mode": "helpful", "lore": False, Purpose.CHAT.value: []},
    ),
}
