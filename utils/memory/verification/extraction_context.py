"""What checks and planning know of the circumstances of a burst."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from utils.memory.policy.categories import DEFAULT_CATEGORIES, Category
from utils.models.attachment import AttachmentText
from utils.models.memory import ContextRef


@dataclass(frozen=True, slots=True)
class ContextText:
    """A text that may supply what a note says and its own sentence does not."""

    ref: ContextRef
    text: str


NO_TEXT = ContextText(ContextRef(), "")


@dataclass(frozen=True, slots=True)
class ExtractionContext:
    """Where a burst was written, and what was written around it.

    Attributes:
        sources: the channels that its readers can read, including this one.
        open_sources: those of them that everyone in the server can read; empty where not everyone
            reads what is said.
        previous: by event id, the last thing said between the member and Kith.
        replied_to: by event id, what the event answers.
        before: by event id, the last turns before it, by all people; only for safety, never stored.
        attached: by event id, its attachments.
        around: the turns before, what the messages reply to, and the burst's own messages.
        known: the memories that the extractor was shown.
        erased: the texts above that were erased or edited since they were loaded.
        noted: the sentences that are no longer to be noted, each with its message's id.
        names: the names of other people around.
        forbidden: categories of which the operator allows no memory.
        time_zone: the member's own or the server's; days are counted in it.
    """

    sources: frozenset[int]
    open_sources: frozenset[int] = frozenset()
    previous: Mapping[int, ContextText] = field(default_factory=dict)
    replied_to: Mapping[int, str] = field(default_factory=dict)
    before: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    attached: Mapping[int, tuple[AttachmentText, ...]] = field(default_factory=dict)
    around: tuple[ContextText, ...] = ()
    known: tuple[ContextText, ...] = ()
    erased: frozenset[ContextRef] = frozenset()
    noted: frozenset[tuple[int, str]] = frozenset()
    names: tuple[str, ...] = ()
    forbidden: frozenset[Category] = DEFAULT_CATEGORIES
    time_zone: str = "UTC"
