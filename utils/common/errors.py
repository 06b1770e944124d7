"""Error types, each with the sentence that people see.

Only the edges (cogs, the console, the command line) show these sentences. A sentence says what
happened and what to do next. It never quotes a message, a token or a key.
"""

import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from utils.models.llm import Usage

_log = logging.getLogger(__name__)


class KithError(Exception):
    """An error with a sentence for people, which ``str(error)`` returns.

    ``template`` is the sentence with its placeholders, for translation; ``values`` fill them.
    """

    sentence = "Something went wrong on my side; please try again in a moment."

    def __init__(self, sentence: str | None = None, **values: object) -> None:
        self.template = sentence or self.sentence
        self.values = values
        super().__init__(self.template.format(**values) if values else self.template)

    @property
    def for_operator(self) -> str:
        """The sentence for whoever runs Kith: the command line and ``doctor`` show it."""
        return str(self)


class SettingsError(KithError):
    """A setting is missing or wrong; the sentence names it."""

    sentence = "A setting is wrong; run `python bot.py doctor` to see which."


MCP_MISSING = "{what} needs one more package: run `pip install -r requirements-mcp.txt`."


class LanguageFileError(KithError):
    """A file of utils/nlp/languages is missing or wrong: the installation is damaged."""

    sentence = "The language file {file} cannot be used: {problem}."


class DatabaseError(KithError):
    """The database refused a unit of work; a retry cannot help."""

    sentence = "My memory did not answer properly; nothing you stored is lost, please try again."


class DatabaseUnavailable(DatabaseError):
    """The database is unreachable, locked, read-only or full; a later retry can help."""

    sentence = "I can't reach my memory right now; nothing you stored is lost, try again soon."


class MissingRight(DatabaseUnavailable):
    """The database's user lacks a right; ``advice`` says which one, and what to run."""

    sentence = (
        "My database does not let me do that; nothing you stored is lost, tell whoever runs me."
    )

    def __init__(self, advice: str) -> None:
        super().__init__()
        self._advice = advice

    @property
    def for_operator(self) -> str:
        """Which right is missing, and what to run."""
        return self._advice


class DatabaseUnusable(DatabaseError):
    """The database is corrupt, newer than this program, or has no driver."""


class StaleFence(DatabaseError):
    """Another process took over the lease; this unit of work wrote nothing."""

    sentence = "Another process has taken over this work."


class MessagesLost(KithError):
    """The process stops while messages wait for an unreachable database."""

    sentence = (
        "The database was unreachable when I stopped, so the messages that waited in memory are "
        "lost: {lost}."
    )


class ModelError(KithError):
    """The language model gave no usable answer; ``usage`` is its cost.

    Attributes:
        status: the endpoint's HTTP status, if it answered with an error.
        endpoint_text: what the endpoint said, without keys, for the command line alone: it may
            quote the request.
        partial: the words of a streamed answer that were shown before it broke off.
        reason: what is wrong, for whoever runs Kith.
    """

    sentence = "The language model gave no usable answer; please ask again."
    usage: "Usage | None" = None
    status: int | None = None
    endpoint_text: str = ""
    partial: str = ""
    reason: str = ""

    @property
    def for_operator(self) -> str:
        """What is wrong, and which setting it concerns; never what the endpoint said."""
        return self.reason or str(self)


class ModelUnreachable(ModelError):
    """The endpoint is down, slow or rate-limited; a later retry can help."""

    sentence = (
        "I can't reach my language model right now. Your message is kept; please ask again "
        "in a few minutes."
    )


class ModelRefused(ModelError):
    """The endpoint refused the request because of the key, model name or quota."""

    sentence = (
        "My language model refused the request. Whoever runs me can find out why with "
        "`python bot.py doctor`."
    )

    @property
    def for_operator(self) -> str:
        """What is wrong, without the advice to ask whoever runs Kith."""
        is_known = self.reason or self.template != self.sentence
        return super().for_operator if is_known else "The language model refused the request."


class RequestRefused(ModelRefused):
    """The endpoint refused this request as too long or malformed; others can pass."""


class ModelMalformed(ModelError):
    """The model answered, but not in the requested format."""


class ModelUnusable(ModelMalformed):
    """The model never wrote a tool call or JSON, and is asked for none until tomorrow."""

    reason = (
        "It writes neither tool calls nor JSON, so it is asked for none until tomorrow; choose "
        "another TRIAGE_MODEL."
    )


class OutOfRoom(ModelError):
    """The model spent all its tokens on thoughts, also when it had more; the work stays undone."""

    sentence = "My language model ran out of room before it said anything; please ask again."
    reason = (
        "It spends all its tokens on thoughts: set REASONING_EFFORT=low (or none), or choose "
        "another model."
    )


class AnswerUnfit(KithError):
    """The output filter rejected the model's answer twice."""

    sentence = "I had an answer, but it does not fit in here; please ask me differently."


class ReadersChanged(KithError):
    """Some who read the answer now may not hear what it was made from."""

    sentence = (
        "While I was answering, it changed who can read which channel, so I keep that answer to "
        "myself; please ask again."
    )


class BudgetSpent(KithError):
    """The daily tokens of a server, or a member's share (``is_share``), are used up.

    ``until``: when there are tokens again.
    """

    sentence = "Today's budget for answers is used up here; it starts again at midnight UTC."
    share = (
        "Your share of today's budget for answers is used up here; it starts again at midnight UTC."
    )

    def __init__(self, *, is_share: bool = False, until: datetime | None = None) -> None:
        super().__init__(self.share if is_share else None)
        self.is_share = is_share
        self.until = until


UNEXPECTED_ERROR = (
    "Something went wrong on my side, sorry. If it keeps happening, tell my operator: {reference}."
)


def log_unexpected(error: BaseException) -> str:
    """Log an unexpected error, and return its reference id in the log."""
    reference = secrets.token_hex(4)
    _log.error("unexpected error %s", reference, exc_info=error)
    return reference


class Logged(suppress):
    """Goes on after these errors of a block, and logs their names after a sentence.

    ``log`` is the method of a module's logger for the level.
    """

    def __init__(
        self, log: Callable[..., None], sentence: str, *errors: type[BaseException]
    ) -> None:
        super().__init__(*errors)
        self._log, self._sentence = log, sentence

    def __exit__(self, kind: type[BaseException] | None, *details: Any) -> bool:
        is_handled = super().__exit__(kind, *details)
        if is_handled and kind is not None:
            self._log("%s: %s", self._sentence, kind.__name__)
        return is_handled


def unexpected_error_message(error: BaseException) -> str:
    """Log an unexpected error, and return the sentence with its reference id."""
    return UNEXPECTED_ERROR.format(reference=log_unexpected(error))


class BadInput(KithError):
    """The input of a person cannot be used; the sentence says why."""


class NotFound(BadInput):
    """What a person named does not exist, or no longer exists."""


class Conflict(BadInput):
    """The request conflicts with the current state."""
