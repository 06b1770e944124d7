"""What grounding and deciding know of the circumstances of a burst."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from utils.memory.categories import DEFAULT_CATEGORIES, Category
from utils.model.artifact import Surrogate


@dataclass(frozen=True, slots=True)
class Heard:
    """Where a burst was heard, and among what.

    ``sources`` are the channels that its readers can read, this one among them; ``open_sources``
    those of them that everybody in the server can. By event id: ``previous`` is what was said just
    before it between the member and Kith, ``asked`` what it answers, ``attached`` what came with
    it. ``others`` is what anybody
    else said around it, ``names`` what they are called. ``forbidden`` are the categories that the
    operator lets nobody have kept.
    """

    sources: frozenset[int]
    open_sources: frozenset[int] = frozenset()
    previous: Mapping[int, str] = field(default_factory=dict)
    asked: Mapping[int, str] = field(default_factory=dict)
    attached: Mapping[int, tuple[Surrogate, ...]] = field(default_factory=dict)
    others: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    forbidden: frozenset[Category] = DEFAULT_CATEGORIES
