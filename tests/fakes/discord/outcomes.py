"""The outcome of an interaction: the object a test awaits the bot's answer on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .journal import PATIENCE_S
from .limits import LABEL, ROW
from .things import LOADING, Channel, Message, User

if TYPE_CHECKING:
    from .server import FakeDiscord

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5
MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9


@dataclass(frozen=True, slots=True)
class Response:
    """The first answer to an interaction."""

    type: int
    data: dict[str, Any]
    message: Message | None

    @property
    def content(self) -> str:
        """Return the text it came with."""
        return self.data.get("content") or ""

    @property
    def embeds(self) -> list[dict[str, Any]]:
        """Return the embeds it came with."""
        return self.data.get("embeds") or []

    @property
    def components(self) -> list[dict[str, Any]]:
        """Return the components it came with."""
        return self.data.get("components") or []

    @property
    def ephemeral(self) -> bool:
        """Tell whether only the person sees it."""
        return (
            self.message.ephemeral
            if self.message is not None
            else bool(int(self.data.get("flags") or 0) & 64)
        )

    @property
    def deferred(self) -> bool:
        """Tell whether it only promises an answer."""
        return self.type in (DEFERRED, DEFERRED_UPDATE)


@dataclass(frozen=True, slots=True)
class Modal:
    """A form the bot has opened for a person."""

    interaction: Interaction
    data: dict[str, Any]

    @property
    def title(self) -> str:
        """Return its title."""
        return str(self.data["title"])

    @property
    def inputs(self) -> list[dict[str, Any]]:
        """Return its inputs, each with the label it is shown with."""
        found = []
        for outer in self.data["components"]:
            if outer["type"] == LABEL:
                found.append({**outer["component"], "label": outer["label"]})
            elif outer["type"] == ROW:
                found += outer["components"]
        return found

    async def submit(self, values: Mapping[str, Any]) -> Interaction:
        """Fill in inputs, named by label or custom id, and send the form."""
        await self.interaction.fake.until_known([self.data["custom_id"]])
        return self.interaction.fake.people.submit(self, values)


@dataclass(eq=False, slots=True, repr=False)
class Interaction:
    """One use of a command or component. Await its outcome with the methods that take a timeout."""

    fake: FakeDiscord
    id: int
    token: str
    kind: int
    user: User
    channel: Channel
    name: str
    created_s: float
    message: Message | None = None
    payload: dict[str, Any] = field(default_factory=dict)
    answered: Response | None = None
    original: Message | None = None
    followups: list[Message] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)
    expired: bool = False
    edits_before: int = 0

    def __repr__(self) -> str:
        return f"<Interaction {self.name} by {self.user.name}>"

    def expire(self) -> None:
        """Let the three seconds for the first answer be over now."""
        self.expired = True

    def _wait(self, look: Callable[[], Any], what: str, within_s: float) -> Awaitable[Any]:
        return self.fake.journal.wait(
            look, f"{what} for {self.name!r} by {self.user.name}", within_s
        )

    def _unedited(self) -> bool:
        return self.original is None or len(self.original.edits) <= self.edits_before

    def response(self, timeout: float = PATIENCE_S) -> Awaitable[Response]:
        """Wait for the first answer, be it only a deferral."""
        return self._wait(lambda: self.answered, "a first answer", timeout)

    def reply(self, timeout: float = PATIENCE_S) -> Awaitable[Message]:
        """Wait for the message the person reads: the first answer, or what a deferral became."""

        def look() -> Message | None:
            shown = self.original
            if (
                self.answered is not None
                and self.answered.type == DEFERRED_UPDATE
                and self._unedited()
            ):
                shown = None
            if shown is not None and not shown.flags & LOADING:
                return shown
            return self.followups[0] if self.followups else None

        return self._wait(look, "a readable answer", timeout)

    def followup(self, index: int = 0, timeout: float = PATIENCE_S) -> Awaitable[Message]:
        """Wait for a follow-up message, the first by default."""

        def look() -> Message | None:
            return self.followups[index] if len(self.followups) > index else None

        return self._wait(look, f"follow-up {index}", timeout)

    def edited(self, times: int = 1, timeout: float = PATIENCE_S) -> Awaitable[Message]:
        """Wait until the original message has been edited so many times since it was shown."""

        def look() -> Message | None:
            shown = self.original
            return (
                shown
                if shown is not None and len(shown.edits) >= self.edits_before + times
                else None
            )

        return self._wait(look, "an edit", timeout)

    def choices(self, timeout: float = PATIENCE_S) -> Awaitable[list[dict[str, Any]]]:
        """Wait for the choices of an autocomplete."""

        def look() -> list[dict[str, Any]] | None:
            return None if self.answered is None else self.answered.data.get("choices") or []

        return self._wait(look, "choices", timeout)

    def modal(self, timeout: float = PATIENCE_S) -> Awaitable[Modal]:
        """Wait for the bot to open a form."""

        def look() -> Modal | None:
            shown = self.answered
            return Modal(self, shown.data) if shown is not None and shown.type == MODAL else None

        return self._wait(look, "a modal", timeout)
