"""Summarise a channel in five lines: one call of the chat model, nothing is stored.

The caller has just read the messages from Discord. Members with consent off and members ignored by
moderators are left out before the model sees anything.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from utils.common.errors import BadInput, ModelMalformed
from utils.common.text import (
    clean,
    clip,
    defuse_mentions,
    escape_markdown,
    one_line,
)
from utils.database.core.engine import Connection, Database
from utils.database.memories import members
from utils.database.sentiment import watched_channels
from utils.llm import prompts
from utils.llm.client import LanguageModel
from utils.llm.token_budget import TokenBudget
from utils.models.llm import ChatMessage
from utils.models.memory import Member

PURPOSE = "summary"
SHARE = 1 / 2  # of the tokens for everything but memory: moderators decide how often this runs
MAX_LINES = 5
LINE_LIMIT = 320
TEXT_LIMIT, NAME_LIMIT = 300, 40
MAX_CHARACTERS = 24_000  # of messages; the newest that fit
ANSWER_TOKENS = 500
TEMPERATURE = 0.3


@dataclass(frozen=True, slots=True)
class HistoryMessage:
    """A message from Discord's channel history."""

    author_id: int
    author_name: str
    sent_at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class ChannelSummary:
    """The lines of a summary and the number of messages it is made from.

    ``hidden`` messages were left out because of their authors' choice, ``older`` ones because the
    newer messages fill the prompt.
    """

    lines: tuple[str, ...]
    messages: int
    hidden: int
    older: int


@dataclass(eq=False, repr=False)
class ChannelSummarizer:
    """Asks the chat model; ``model`` is None if none is configured."""

    _database: Database
    _model: LanguageModel | None
    _budget: TokenBudget

    async def summarise(
        self,
        asker: Member,
        messages: Sequence[HistoryMessage],
        now: datetime,
        time_zone: str,
        language: str,
    ) -> ChannelSummary:
        """Summarise messages (oldest first) in at most five lines.

        Raises BadInput without a model or messages, BudgetSpent, or ModelError.
        """
        if self._model is None:
            raise BadInput("I can't summarise: no language model is configured.")
        hidden_authors = await self._database.read(
            _hidden_authors,
            guild_id=asker.guild_id,
            authors={message.author_id for message in messages},
        )
        visible = [message for message in messages if message.author_id not in hidden_authors]
        included = newest(visible)
        if not included:
            raise BadInput("There are no messages from that time that I may read.")
        prompt = request(included, now, time_zone, language)
        answer = await self._budget.ask(
            asker,
            PURPOSE,
            prompt,
            ANSWER_TOKENS,
            self._model.reply,
            share=SHARE,
            temperature=TEMPERATURE,
        )
        lines = lines_of(answer.text)
        if not lines:
            raise ModelMalformed
        hidden, older = len(messages) - len(visible), len(visible) - len(included)
        return ChannelSummary(lines, len(included), hidden, older)


def newest(messages: Sequence[HistoryMessage]) -> list[HistoryMessage]:
    """Return the newest messages that fit into the prompt, oldest first."""
    fitting: list[HistoryMessage] = []
    remaining = MAX_CHARACTERS
    for message in reversed(messages):
        remaining -= len(_line(message, ZoneInfo("UTC")))
        if remaining < 0:
            break
        fitting.append(message)
    return fitting[::-1]


def request(
    messages: Sequence[HistoryMessage], now: datetime, time_zone: str, language: str
) -> list[ChatMessage]:
    """Return the prompt: fixed instructions, then the messages as data."""
    zone = ZoneInfo(time_zone)
    local = now.astimezone(zone)
    instructions = prompts.load("summary").fill(
        now=f"{local:%A, %d %B %Y, %H:%M} ({time_zone})", language=language
    )
    lines = ["MESSAGES", *(_line(message, zone) for message in messages), "END OF MESSAGES"]
    return [ChatMessage("system", instructions), ChatMessage("user", "\n".join(lines))]


def lines_of(answer: str) -> tuple[str, ...]:
    """Return up to five lines of an answer, without bullets, mentions or Markdown."""
    lines = (line.strip().lstrip("-*•#> ").strip() for line in clean(answer).splitlines())
    clipped = [clip(line, LINE_LIMIT, at_word=True) for line in lines if line]
    return tuple(escape_markdown(defuse_mentions(line)) for line in clipped[:MAX_LINES])


def _line(message: HistoryMessage, zone: ZoneInfo) -> str:
    name = clip(one_line(clean(message.author_name)), NAME_LIMIT)
    text = clip(one_line(clean(message.text)), TEXT_LIMIT)
    return f"[{message.sent_at.astimezone(zone):%d %b %H:%M}] {name}: {text}"


def _hidden_authors(connection: Connection, guild_id: int, authors: Collection[int]) -> set[int]:
    """Return the authors whose messages must not be used."""
    ignored = set(members.list_ignored(connection, guild_id))
    return watched_channels.without_consent(connection, guild_id, authors) | (
        ignored & set(authors)
    )
