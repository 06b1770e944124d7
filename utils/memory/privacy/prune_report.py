"""What the daily pruning removed or merged, as counts by server and as a sentence."""

from collections import Counter
from dataclasses import dataclass, field, fields


@dataclass(slots=True)
class PruneReport:
    """How many rows were removed or merged for each reason, by server."""

    expired: Counter[int] = field(default_factory=Counter)
    over_cap: Counter[int] = field(default_factory=Counter)
    events: Counter[int] = field(default_factory=Counter)
    unsupported: Counter[int] = field(default_factory=Counter)
    merged: Counter[int] = field(default_factory=Counter)
    members: Counter[int] = field(default_factory=Counter)
    servers: Counter[int] = field(default_factory=Counter)
    token_use: Counter[int] = field(default_factory=Counter)
    scores: Counter[int] = field(default_factory=Counter)
    chapters: Counter[int] = field(default_factory=Counter)
    others: Counter[int] = field(default_factory=Counter)

    @property
    def by_reason(self) -> dict[str, Counter[int]]:
        """The counts by server of each reason that has any."""
        counts = {field.name: getattr(self, field.name) for field in fields(self)}
        return {reason: by_guild for reason, by_guild in counts.items() if by_guild}

    def __str__(self) -> str:
        return _in_words({field.name: getattr(self, field.name).total() for field in fields(self)})


_ALSO = {
    "unsupported": "{} memories without evidence removed",
    "merged": "{} near-duplicates merged",
    "members": "{} departed members erased",
    "servers": "{} servers that removed me erased",
    "token_use": "{} old counts of tokens removed",
    "scores": "{} old scores of watched messages erased",
    "chapters": "{} old notes on conversations erased",
    "others": "{} other rows erased at their end",
}


def _in_words(count: dict[str, int]) -> str:
    also = [words.format(count[name]) for name, words in _ALSO.items() if count[name]]
    first = (
        f"{count['expired']} expired and {count['over_cap']} surplus memories removed, "
        f"{count['events']} old messages erased"
    )
    return ", ".join([first, *also])
