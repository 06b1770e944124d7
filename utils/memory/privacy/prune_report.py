"""What the daily pruning removed, as counts by server and as a sentence."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

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
REASONS = ("expired", "over_cap", "events", *ALSO_REMOVED)


@dataclass(frozen=True, slots=True)
class PruneReport:
    """How many rows were removed, by reason (REASONS) and server."""

    by_reason: Mapping[str, Counter[int]]

    def __str__(self) -> str:
        return self.in_words(str.format)

    def in_words(self, translate: Callable[..., str]) -> str:
        """Return what was removed; ``translate`` fills a text's slots in the reader's language."""
        count = {reason: self.by_reason.get(reason, Counter()).total() for reason in REASONS}
        also = [
            translate(words, count=count[reason])
            for reason, words in ALSO_REMOVED.items()
            if count[reason]
        ]
        return ", ".join([translate(REMOVED, **count), *also])
