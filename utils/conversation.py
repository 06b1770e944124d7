"""One turn: persona + working memory + what is known -> model -> reply.

The message is made durable while the model thinks, and an answer is given only by the process
whose insert succeeded.
"""

import asyncio
import logging
import re
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from utils import prompts
from utils.budget import TokenBudget
from utils.chat_tools import TOOLS, ChatTools
from utils.clock import Clock
from utils.errors import DatabaseError, KithError, ModelMalformed
from utils.llm_client import LanguageModel
from utils.memory.reader import Reader
from utils.memory.recorder import Recorder
from utils.model.conversation import Answer, Prepared, Turn
from utils.model.guild import DEFAULT_MODE
from utils.model.llm import ChatMessage, Completion, ToolDefinition, as_json
from utils.model.memory import Audience, Event, Role
from utils.text import clean, clip, estimate_tokens, one_line

HISTORY_TOKENS = 1500
MOST_ANSWER_TOKENS = 1024
QUOTED_LIMIT = 1000
MOST_TOOL_ROUNDS = 2
MOST_CALLS = 4
TOO_MANY = "Not done: that is too much at once."
NO_MODEL = "No language model is configured"
NOTHING_SAID = "(mentioned you without saying anything)"
_log = logging.getLogger(__name__)
_TAG = re.compile(r"<(?=[\s/]*background)", re.IGNORECASE)


class Conversation:
    """Answers what is said to Kith; without a model, plainly and honestly."""

    def __init__(
        self,
        recorder: Recorder,
        reader: Reader,
        budget: TokenBudget,
        clock: Clock,
        model: LanguageModel | None,
        tools: ChatTools | None = None,
    ) -> None:
        self._recorder = recorder
        self._reader = reader
        self._budget = budget
        self._clock = clock
        self._model = model
        self._tools = tools

    async def answer(self, turn: Turn) -> Answer | None:
        """Return the answer to a message, which is durable by then; None: it is not ours to give.

        Raises ModelError, BudgetSpent or DatabaseError, each with a sentence for the person. What
        they said is kept in the first two cases.
        """
        recording = asyncio.create_task(self.hear(turn))
        try:
            prepared = await self.prepare(turn)
            text = await self._words(turn, prepared, recording)
            is_ours = await asyncio.shield(recording)
        except KithError:
            if await recording:
                raise
            return None
        except asyncio.CancelledError:
            await asyncio.shield(recording)  # a broken-off answer does not unsay the question
            raise
        return Answer(text, prepared.recall.block, prepared.recall.about_ids) if is_ours else None

    async def prepare(self, turn: Turn) -> Prepared:
        """Recall what fits and build the prompt: all that Kith adds before the model call."""
        event = turn.event
        recall, history = await self._reader.recall_with_turns(
            turn.audience,
            turn.people if turn.settings.recall else (),
            event.text,
            settings=turn.settings,
            channel_topics=turn.channel_topics,
            but=event.message_id,
        )
        messages = [
            self._instructions(turn),
            *_history(history, self._budget.calibration.room(HISTORY_TOKENS)),
            _last_message(turn, recall.block),
        ]
        return Prepared(tuple(messages), recall)

    async def hear(self, turn: Turn) -> bool:
        """Make a message durable without answering it; False if another process heard it first.

        A message that is being deleted meanwhile is stored first, so that it can be forgotten.
        """
        return await asyncio.shield(self._recorder.record(turn.event, turn.audience))

    async def said(self, answer: Event, audience: Audience) -> None:
        """Record what Kith said, as part of the channel's working memory.

        What cannot be recorded has been said all the same, so a database that is away is logged.
        """
        try:
            await self._recorder.record(answer, audience)
        except DatabaseError as error:
            _log.warning("an answer could not be recorded: %s", type(error).__name__)

    async def _words(self, turn: Turn, prepared: Prepared, recording: asyncio.Future[bool]) -> str:
        """Ask the model, and carry out the tools it calls; empty if another process answers."""
        if self._model is None:
            return plain_reply(prepared.recall.block, several=len(turn.people) > 1)
        messages = list(prepared.messages)
        rounds = MOST_TOOL_ROUNDS if self._tools is not None else 0
        for tools in (*[TOOLS] * rounds, ()):
            completion = await self._ask(self._model, turn, messages, tools)
            if not completion.calls or self._tools is None:
                break
            if not await asyncio.shield(recording):  # only whoever answers may change anything
                return ""
            messages.append(ChatMessage("assistant", completion.text, calls=completion.calls))
            for number, call in enumerate(completion.calls):
                result = await self._tools.run(call, turn) if number < MOST_CALLS else TOO_MANY
                messages.append(ChatMessage("tool", _without_tags(result), call_id=call.id))
        if not clean(completion.text):  # nothing that anybody could see
            raise ModelMalformed
        return completion.text + (" …" if completion.truncated else "")

    async def _ask(
        self,
        model: LanguageModel,
        turn: Turn,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolDefinition],
    ) -> Completion:
        """Ask once, within the budget; the tools' definitions count as well."""
        texts = sum(estimate_tokens(message.text) for message in messages)
        tokens = texts + sum(estimate_tokens(as_json(tool.parameters)) for tool in tools)
        async with self._budget.hold(turn.event.member, "chat", tokens, MOST_ANSWER_TOKENS) as hold:
            completion = await model.reply(messages, tools=tools, max_tokens=MOST_ANSWER_TOKENS)
            hold.usage = completion.usage
        if completion.usage.is_reported:
            self._budget.calibration.observe(
                texts,
                completion.usage.prompt_tokens,
                messages=len(messages),
                has_tools=bool(tools),
            )
        return completion

    def _instructions(self, turn: Turn) -> ChatMessage:
        mode = turn.settings.mode if turn.settings.mode in prompts.modes() else DEFAULT_MODE
        now = self._clock.now().astimezone(ZoneInfo(turn.settings.time_zone))
        text = prompts.load("reply").fill(
            persona=prompts.persona(mode).text,
            now=f"{now:%A, %d %B %Y, %H:%M}",
            time_zone=turn.settings.time_zone,
        )
        return ChatMessage("system", text)


def plain_reply(block: str, *, several: bool) -> str:
    """Say, without a model, what recall found: the block itself, without its heading."""
    if not block:
        return (
            f"{NO_MODEL}, and I know nothing of you yet that fits. I remember what you tell me "
            "about yourself, for example: my name is …, I live in …, I have a dog named …"
        )
    known = block if several else block.split("\n", 1)[1]
    return f"{NO_MODEL}; here is what I know of you that fits:\n{known}"


def _history(events: Sequence[Event], room: int) -> list[ChatMessage]:
    """Return earlier turns as messages, oldest first, the newest that fit in ``room`` tokens."""
    messages: list[ChatMessage] = []
    for event in reversed(events):
        message = (
            ChatMessage("assistant", event.text)
            if event.role is Role.KITH
            else ChatMessage("user", _spoken(event))
        )
        room -= estimate_tokens(message.text)
        if room < 0:
            break
        messages.append(message)
    return messages[::-1]


def _last_message(turn: Turn, block: str) -> ChatMessage:
    """Return the message to answer, with what is known before it, all of it as data."""
    parts = []
    if block:
        parts.append(f"<background>\n{_without_tags(block)}\n</background>")
    if turn.quoted is not None:
        quoted = clip(_line(turn.quoted.text), QUOTED_LIMIT, at_word=True)
        parts.append(f"(in reply to {_line(turn.quoted.author_name)}, who wrote: {quoted})")
    parts.append(_spoken(turn.event))
    return ChatMessage("user", "\n".join(parts))


def _spoken(event: Event) -> str:
    text = _without_tags(clean(event.text)) or NOTHING_SAID
    return f"{_line(event.author_name)}: {text}"


def _line(text: str) -> str:
    return _without_tags(one_line(clean(text)))


def _without_tags(text: str) -> str:
    """Spoil what would end or begin the background block."""
    return _TAG.sub("(", text)
