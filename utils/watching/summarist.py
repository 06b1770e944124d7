"""What happened in a channel, in five lines: one call of the chat model, nothing stored.

The caller has read the messages from Discord at that moment; whoever does not want to be stored
(consent off, or ignored by moderators) is left out before the model sees anything.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

from utils import prompts
from utils.budget import TokenBudget
from utils.database import members, watching
from utils.database.engine import Database, Session
from utils.errors import BadInput, ModelMalformed
from utils.llm_client import LanguageModel
from utils.model.llm import ChatMessage
from utils.model.memory import Member
from utils.text import clean, clip, defuse_mentions, escape_markdown, estimate_tokens, one_line

PURPOSE = "summary"
SHARE = 1 / 2  # of a server's daily tokens, which moderators steer
MOST_LINES = 5
LINE_LIMIT = 320
TEXT_LIMIT, NAME_LIMIT = 300, 40
MOST_CHARACTERS = 24_000  # the newest messages that fit
ANSWER_TOKENS = 500
TEMPERATURE = 0.3
NO_MODEL = "I can't summarise: no language model is configured."
NOTHING_SAID = "Nothing was said there in that time that I may read."


@dataclass(frozen=True, slots=True)
class Said:
    """One message as Discord's history tells it."""

    author_id: int
    author_name: str
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Summary:
    """The lines, how many messages they are made from, and how many of them were left out.

    ``hidden`` were left out because their authors want nothing stored, ``older`` for their number.
    """

    lines: tuple[str, ...]
    messages: int
    hidden: int
    older: int


class Summarist:
    """Asks the chat model; ``model`` is None where none is configured."""

    def __init__(
        self, database: Database, model: LanguageModel | None, budget: TokenBudget
    ) -> None:
        self._database = database
        self._model = model
        self._budget = budget

    async def summarise(
        self, asker: Member, said: Sequence[Said], now: datetime, time_zone: str, language: str
    ) -> Summary:
        """Say in at most five lines what happened; ``said`` is the oldest message first.

        Raises BadInput without a model or messages, BudgetSpent, or ModelError.
        """
        if self._model is None:
            raise BadInput(NO_MODEL)
        authors = {one.author_id for one in said}
        silent = await self._database.read(
            partial(_silent, guild_id=asker.guild_id, authors=authors)
        )
        audible = [one for one in said if one.author_id not in silent]
        told = newest(audible)
        if not told:
            raise BadInput(NOTHING_SAID)
        asked = request(told, now, time_zone, language)
        prompt_tokens = sum(estimate_tokens(one.text) for one in asked)
        async with self._budget.hold(
            asker, PURPOSE, prompt_tokens, ANSWER_TOKENS, share=SHARE
        ) as hold:
            answer = await self._model.reply(
                asked, max_tokens=ANSWER_TOKENS, temperature=TEMPERATURE
            )
            hold.usage = answer.usage
        lines = lines_of(answer.text)
        if not lines:
            raise ModelMalformed
        return Summary(lines, len(told), len(said) - len(audible), len(audible) - len(told))


def newest(said: Sequence[Said]) -> list[Said]:
    """Return the newest messages that fit into the prompt, the oldest of them first."""
    told: list[Said] = []
    left = MOST_CHARACTERS
    for one in reversed(said):
        left -= len(_line(one, ZoneInfo("UTC")))
        if left < 0:
            break
        told.append(one)
    return told[::-1]


def request(
    said: Sequence[Said], now: datetime, time_zone: str, language: str
) -> list[ChatMessage]:
    """Return the prompt: fixed instructions, then the messages as data."""
    zone = ZoneInfo(time_zone)
    local = now.astimezone(zone)
    instructions = prompts.load("summary").fill(
        now=f"{local:%A, %d %B %Y, %H:%M} ({time_zone})", language=language
    )
    lines = ["MESSAGES", *(_line(one, zone) for one in said), "END OF MESSAGES"]
    return [ChatMessage("system", instructions), ChatMessage("user", "\n".join(lines))]


def lines_of(answer: str) -> tuple[str, ...]:
    """Return the lines of an answer as they can be shown: five at most, harmless, no bullets."""
    lines = (one.strip().lstrip("-*•#> ").strip() for one in clean(answer).splitlines())
    shown = [clip(one, LINE_LIMIT, at_word=True) for one in lines if one]
    return tuple(escape_markdown(defuse_mentions(one)) for one in shown[:MOST_LINES])


def _line(one: Said, zone: ZoneInfo) -> str:
    name = clip(one_line(clean(one.author_name)), NAME_LIMIT)
    text = clip(one_line(clean(one.text)), TEXT_LIMIT)
    return f"[{one.at.astimezone(zone):%d %b %H:%M}] {name}: {text}"


def _silent(session: Session, guild_id: int, authors: Collection[int]) -> set[int]:
    """Return the authors of whom nothing may be used."""
    ignored = set(members.ignored(session, guild_id))
    return watching.without_consent(session, guild_id, authors) | (ignored & set(authors))
