"""What can go wrong, one type each, with the sentence a person sees.

The edges (cogs, the console, the command line) turn these into words; nothing below them prints.
A sentence says what happened and what to do next; it never quotes a message, a token or a key.
"""

import logging
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from utils.model.llm import Usage

_log = logging.getLogger(__name__)


class KithError(Exception):
    """An error that has a sentence for people; ``str(error)`` is that sentence.

    ``values`` fill the braces of the sentence; ``template`` is it with its braces, so that it can
    be said in another language.
    """

    sentence = "Something went wrong on my side; please try again in a moment."

    def __init__(self, sentence: str | None = None, **values: object) -> None:
        self.template = sentence or self.sentence
        self.values = values
        super().__init__(self.template.format(**values) if values else self.template)


class SettingsError(KithError):
    """A setting is missing or makes no sense; the sentence names it."""

    sentence = "A setting is wrong; run `python bot.py doctor` to see which."


class DatabaseError(KithError):
    """The database refused a unit of work for good."""

    sentence = "My memory did not answer properly; nothing you stored is lost, please try again."


class DatabaseUnavailable(DatabaseError):
    """The database is away, locked, read-only or full: trying later can help."""

    sentence = "I can't reach my memory right now; nothing you stored is lost, try again soon."


class DatabaseUnusable(DatabaseError):
    """The database cannot be used as it is: corrupt, newer than this program, or no driver."""


class StaleFence(DatabaseError):
    """Another worker took over the lease; this unit of work wrote nothing."""

    sentence = "Another worker has taken over this piece of work."


class MessagesLost(KithError):
    """The process stops while messages wait for a database that is still away."""

    sentence = (
        "The database was away when I stopped, and so what had waited for it in memory is lost: "
        "{lost} messages."
    )

    def __init__(self, lost: int) -> None:
        super().__init__(lost=lost)
        self.lost = lost


class ModelError(KithError):
    """The language model gave no usable answer; ``usage`` is what it cost all the same."""

    sentence = "The language model gave no usable answer; please ask again."
    usage: "Usage | None" = None


class ModelUnreachable(ModelError):
    """The endpoint is down, slow or rate-limited; trying later can help."""

    sentence = (
        "I can't reach my language model right now. Your message is kept; please ask again "
        "in a few minutes."
    )


class ModelRefused(ModelError):
    """The endpoint refused the request for good: key, model name or quota."""

    sentence = (
        "My language model refused the request. Whoever runs me can find out why with "
        "`python bot.py doctor`."
    )


class RequestRefused(ModelRefused):
    """The endpoint refused this one request, as too long or badly formed; others may pass."""


class ModelMalformed(ModelError):
    """The model answered, but not in the form that was asked for."""


class AnswerUnfit(KithError):
    """The model's answer held what Kith never says, twice; it is not given."""

    sentence = "I had an answer, but not one that is fit for here; please ask me differently."


class BudgetSpent(KithError):
    """The day's tokens of a server, or a member's share of them (``is_share``), are used up."""

    sentence = "Today's budget for answers is used up here; it starts again at midnight UTC."
    share = (
        "Your share of today's budget for answers is used up here; it starts again at midnight UTC."
    )

    def __init__(self, *, is_share: bool = False) -> None:
        super().__init__(self.share if is_share else None)
        self.is_share = is_share


UNFORESEEN = "Something went wrong on my side, sorry. If it stays, tell my operator: {reference}."


def log_unforeseen(error: BaseException) -> str:
    """Log an error that nobody foresaw; returns the reference id under which it is in the log."""
    reference = secrets.token_hex(4)
    _log.error("unforeseen error %s", reference, exc_info=error)
    return reference


def unforeseen(error: BaseException) -> str:
    """Log an error that nobody foresaw under a reference id, and return the sentence with it."""
    return UNFORESEEN.format(reference=log_unforeseen(error))


class BadInput(KithError):
    """What a person typed cannot be used; the sentence says why."""


class NotFound(BadInput):
    """What a person named is not there, or not any more."""


class Conflict(BadInput):
    """What a person asked for makes sense, but not as things stand now."""
