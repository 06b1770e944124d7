"""What the daily pruning removed, as counts by server and as a sentence."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, fields


@dataclass(slots=True)
class PruneReport:
    """How many rows were removed for each reason, by server."""

    expired: Counter[int] = field(default_factory=Counter)
    over_cap: Counter[int] = field(default_factory=Counter)
    events: Counter[int] = field(default_factory=Counter)
    unsupported: Counter[int] = field(default_factory=Counter)
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
        return self.in_words(str.format)

    def in_words(self, translate: Callable[..., str]) -> str:
        """Return what was removed; ``translate`` fills a text's slots in the reader's language."""
        count = {field.name: getattr(self, field.name).total() for field in fields(self)}
        also = [
            translate(words, count=count[name])
            for name, words in ALSO_REMOVED.items()
            if count[name]
        ]
        return ", ".join([translate(REMOVED, **count), *also])


REMOVED = "{expired} expired and {over_cap} surplus memories removed, {events} old messages erased"
ALSO_REMOVED = {
    "unsupported": "{count} memories without evidence removed",
    "members": "{count} departed members erased",
    "servers": "{count} servers that removed me erased",
    "token_use": "{count} old counts of tokens removed",
    "scores": "{count} old scores of watched messages erased",
    "chapters": "{count} old notes on conversations erased",
    "others": "{count} other rows erased at their end",
}
