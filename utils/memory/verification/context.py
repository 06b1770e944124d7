"""What grounding and deciding know of the circumstances of a burst."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from utils.memory.policy.categories import DEFAULT_CATEGORIES, Category
from utils.models.attachment import AttachmentText


@dataclass(frozen=True, slots=True)
class ExtractionContext:
    """Where a burst was written, and what was written around it.

    ``sources`` are the channels that its readers can read, including this one; ``open_sources``
    those that everyone in the server can read, empty where not everyone reads what is said. Three
    fields go by event id: ``previous`` is the last thing said between the member and Kith,
    ``asked`` what the event answers, and ``attached`` its attachments. ``others`` is what other
    people said around it, ``names`` are their names. The operator allows no memory of a category
    in ``forbidden``.
    """

    sources: frozenset[int]
    open_sources: frozenset[int] = frozenset()
    previous: Mapping[int, str] = field(default_factory=dict)
    asked: Mapping[int, str] = field(default_factory=dict)
    attached: Mapping[int, tuple[AttachmentText, ...]] = field(default_factory=dict)
    others: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    forbidden: frozenset[Category] = DEFAULT_CATEGORIES
