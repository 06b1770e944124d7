"""One turn: persona + working memory + what is known -> model -> reply.

The message is made durable while the model thinks, and an answer is given only by the process
whose insert succeeded. While the database is away, the message waits in process memory, and it is
answered with nothing but what its author said before in the same channel, and waits as well.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from utils import manners, output_check, prompts
from utils.budget import TokenBudget
from utils.chat_tools import TOOLS, ChatTools
from utils.clock import Clock
from utils.errors import (
    AnswerUnfit,
    BadInput,
    BudgetSpent,
    DatabaseError,
    DatabaseUnavailable,
    KithError,
    ModelError,
    ModelMalformed,
)
from utils.llm_client import LanguageModel
from utils.memory.chapters import HISTORY_TOKENS
from utils.memory.common_ground import WORKING_TURNS, is_later
from utils.memory.fleeting import merged
from utils.memory.reader import Reader
from utils.memory.recorder import Recorder
from utils.memory.unwritten import of_one
from utils.model.conversation import Answer, Prepared, Turn
from utils.model.guild import GuildSettings
from utils.model.llm import ChatMessage, Completion, ToolDefinition, as_json
from utils.model.memory import Audience, Event, Member, Role
from utils.model.recall import Recall
from utils.persona_book import PersonaBook
from utils.plain_wishes import wished
from utils.text import clean, clip, estimate_tokens, one_line

MOST_ANSWER_TOKENS = 1024
QUOTED_LIMIT = 1000
MOST_TOOL_ROUNDS = 2
MOST_CALLS = 4
TOO_MANY = "Not done: that is too much at once."
NO_MODEL = "No language model is configured"
NO_MODEL_NOR_MEMORY = f"{NO_MODEL}, and without my memory I have nothing to say."
NO_PREVIEW = "No language model is configured, so there is nothing to preview a mode with."
NOTHING_SAID = "(mentioned you without saying anything)"
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
        personas: PersonaBook | None = None,
    ) -> None:
        self._recorder = recorder
        self._reader = reader
        self._budget = budget
        self._clock = clock
        self._model = model
        self._tools = tools
        self._personas = personas

    async def answer(
        self, turn: Turn, recording: asyncio.Future[bool] | None = None
    ) -> Answer | None:
        """Return the answer to a message, which is durable by then, or waits for the database.

        ``recording`` is what :meth:`hearing` gave. None: it is not ours to answer. Raises
        ModelError, BudgetSpent, AnswerUnfit or DatabaseError, each with a sentence for the person.
        What they said is kept in all cases.
        """
        if recording is None:
            async with self.hearing(turn) as begun:
                return await self.answer(turn, begun)
        try:
            if recording.done() and not recording.result():
                return None
            prepared = await self.prepare(turn)
            text = await self._words(turn, prepared, recording)
            is_ours = await asyncio.shield(recording)
        except KithError:
            if await asyncio.shield(recording):
                raise
            return None
        if not is_ours:
            return None
        self._reader.raised.note(prepared.recall.loops)
        return Answer(
            text,
            prepared.recall.block,
            prepared.about_ids,
            prepared.has_memory,
            is_stored=not self._waits(turn),
        )

    async def prepare(self, turn: Turn) -> Prepared:
        """Recall what fits and build the prompt: all that Kith adds before the model call."""
        event, has_memory = turn.event, True
        try:
            recall, history = await self._reader.recall_with_turns(
                turn.audience,
                turn.people if turn.settings.recall else (),
                event.text,
                settings=turn.settings,
                channel_topics=turn.channel_topics,
                but=event.message_id,
            )
        except DatabaseError:
            recall, history, has_memory = Recall(), [], False
        history = self._with_fleeting(event, history, is_alone=not has_memory)
        history += await self._recorder.waiting_turns(event, WORKING_TURNS, can_look=has_memory)
        room = self._budget.calibration.room(HISTORY_TOKENS) - estimate_tokens(recall.now)
        used = _fitting(history[-WORKING_TURNS:], room)
        messages = (
            ChatMessage("system", await self._instructions(turn, has_memory=has_memory)),
            *(message for _, message in used),
            _last_message(turn, "\n".join(filter(None, (recall.now, recall.block)))),
        )
        about_ids = _about(turn, recall, [event for event, _ in used])
        return Prepared(messages, recall, about_ids, has_memory)

    def _with_fleeting(
        self, event: Event, stored: Sequence[Event], *, is_alone: bool
    ) -> list[Event]:
        """Return the turns before a message, those in process memory only among them; of nobody
        else (``is_alone``) while wishes cannot be looked up."""
        here = self._recorder.fleeting.turns(event.guild_id, event.channel_id)
        here = of_one(event.member, here) if is_alone else here
        return merged(stored, [turn for turn in here if not is_later(turn, event.message_id)])

    @asynccontextmanager
    async def hearing(self, turn: Turn) -> AsyncIterator[asyncio.Future[bool]]:
        """Make a message durable beside the block, and in any case before it ends.

        Yields whether it is new, as soon as that is known; await it shielded. A broken-off answer
        does not unsay the question: one that is being deleted is stored first, to be forgotten.
        """
        record = self._recorder.record(turn.event, turn.audience)
        recording = asyncio.create_task(record, name="record")
        try:
            yield recording
        finally:
            await asyncio.wait([recording])

    async def preview(
        self,
        member: Member,
        settings: GuildSettings,
        mode: str,
        line: str,
        *,
        age_restricted: bool = False,
    ) -> str:
        """Answer one line in a mode's tone, storing nothing; it counts for the member's budget.

        Raises BadInput for a mode that does not exist, or where no model is configured, and
        ModelError, BudgetSpent or AnswerUnfit.
        """
        if self._model is None:
            raise BadInput(NO_PREVIEW)
        if mode in prompts.modes() or self._personas is None:
            manner = manners.built_in(mode)
        else:
            manner = manners.written(await self._personas.own(settings.guild_id, mode))
        text = manners.instructions(
            settings, manner, self._clock.now(), age_restricted=age_restricted
        )
        messages = [ChatMessage("system", text), ChatMessage("user", _line(line))]
        completion = await self._ask(self._model, member, messages, purpose="preview")
        if not clean(completion.text):
            raise ModelMalformed
        if output_check.fault(completion.text, age_restricted=age_restricted) is not None:
            await self._budget.count_unfit(member)
            raise AnswerUnfit
        return completion.text

    async def said(self, answer: Event, audience: Audience) -> None:
        """Record what Kith said, as part of the channel's working memory."""
        await self._recorder.record(answer, audience)

    async def close(self) -> None:
        """Store what was spent and could not be counted yet. Raises DatabaseError."""
        await self._budget.write()

    async def _words(self, turn: Turn, prepared: Prepared, recording: asyncio.Future[bool]) -> str:
        """Ask the model, and carry out the tools it calls; empty if another process answers."""
        if self._model is None:
            return await self._plain_words(turn, prepared, recording)
        messages = list(prepared.messages)
        can_use_tools = self._tools is not None and prepared.has_memory
        rounds = MOST_TOOL_ROUNDS if can_use_tools else 0
        for tools in (*[TOOLS] * rounds, ()):
            completion = await self._ask(self._model, turn.event.member, messages, tools)
            if not completion.calls or self._tools is None:
                break
            if not await self._may_change(turn, recording):
                return ""
            messages.append(ChatMessage("assistant", completion.text, calls=completion.calls))
            for number, call in enumerate(completion.calls):
                result = await self._tools.run(call, turn) if number < MOST_CALLS else TOO_MANY
                messages.append(ChatMessage("tool", _without_tags(result), call_id=call.id))
        if not clean(completion.text):  # nothing that anybody could see
            raise ModelMalformed
        if (fault := _fault(turn, completion.text)) is not None:
            completion = await self._ask_again(self._model, turn, messages, fault)
        return completion.text + (" …" if completion.truncated else "")

    async def _plain_words(
        self, turn: Turn, prepared: Prepared, recording: asyncio.Future[bool]
    ) -> str:
        """Answer without a model: carry out what is plainly asked for, or say what fits."""
        wish = wished(turn.event.text)
        if not prepared.has_memory:
            text = NO_MODEL_NOR_MEMORY
        elif wish is None or self._tools is None:
            text = plain_reply(prepared.recall.block, several=len(turn.people) > 1)
        elif await self._may_change(turn, recording):
            text = await self._tools.run(wish, turn)
        else:
            text = ""
        if _fault(turn, text) is not None:
            raise AnswerUnfit
        return text

    async def _may_change(self, turn: Turn, recording: asyncio.Future[bool]) -> bool:
        """Whether tools may change anything: only whoever answers, once the message is stored.

        Raises DatabaseUnavailable while it waits for the database.
        """
        is_ours = await asyncio.shield(recording)
        if self._waits(turn):
            raise DatabaseUnavailable
        return is_ours

    def _waits(self, turn: Turn) -> bool:
        """Whether what is said in this channel waits for the database."""
        return self._recorder.backlog.waits_in(turn.event.guild_id, turn.event.channel_id)

    async def _ask_again(
        self,
        model: LanguageModel,
        turn: Turn,
        messages: Sequence[ChatMessage],
        fault: output_check.Fault,
    ) -> Completion:
        """Ask once more for an answer that can be given. Raises AnswerUnfit if this one can't."""
        instructions, *rest = messages
        note = prompts.load(f"again_{fault}").text
        noted = [replace(instructions, text=f"{instructions.text}\n\n{note}"), *rest]
        member = turn.event.member
        await self._budget.count_unfit(member)
        try:
            completion = await self._ask(model, member, noted)
        except (ModelError, BudgetSpent):
            raise AnswerUnfit from None
        if not clean(completion.text) or _fault(turn, completion.text) is not None:
            await self._budget.count_unfit(member)
            raise AnswerUnfit
        return completion

    async def _ask(
        self,
        model: LanguageModel,
        member: Member,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolDefinition] = (),
        purpose: str = "chat",
    ) -> Completion:
        """Ask once, within the budget; the tools' definitions count as well."""
        texts = sum(estimate_tokens(message.text) for message in messages)
        tokens = texts + sum(estimate_tokens(as_json(tool.parameters)) for tool in tools)
        async with self._budget.hold(member, purpose, tokens, MOST_ANSWER_TOKENS) as hold:
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

    async def _instructions(self, turn: Turn, *, has_memory: bool) -> str:
        """Return what the model is told of its manner, the rules, and the time.

        Nobody is teased while it cannot be looked up who refuses that.
        """
        event, is_kind = turn.event, False
        manner = manners.in_force(turn.settings, *(turn.place_ids or (event.channel_id,)))
        if manner.may_tease and self._personas is not None:
            targets = turn.target_ids | {event.author_id}
            try:
                is_kind = await self._personas.any_refuses(event.guild_id, targets)
            except DatabaseError:
                is_kind = True
        text = manners.instructions(
            turn.settings,
            manners.kindly(manner) if is_kind else manner,
            self._clock.now(),
            age_restricted=turn.age_restricted,
            is_kind=is_kind,
        )
        return text if has_memory else f"{text}\n\n{prompts.load('away').text}"


def plain_reply(block: str, *, several: bool) -> str:
    """Say, without a model, what recall found: the block itself, without its heading."""
    if not block:
        return (
            f"{NO_MODEL}, and I know nothing of you yet that fits. I remember what you tell me "
            "about yourself, for example: my name is …, I live in …, I have a dog named …"
        )
    known = block if several else block.split("\n", 1)[1]
    return f"{NO_MODEL}; here is what I know of you that fits:\n{known}"


def _fitting(events: Sequence[Event], room: int) -> list[tuple[Event, ChatMessage]]:
    """Return earlier turns with their messages, oldest first, the newest that fit in ``room``."""
    found: list[tuple[Event, ChatMessage]] = []
    for event in reversed(events):
        message = (
            ChatMessage("assistant", event.text)
            if event.role is Role.KITH
            else ChatMessage("user", _spoken(event))
        )
        room -= estimate_tokens(message.text)
        if room < 0:
            break
        found.append((event, message))
    return found[::-1]


def _about(turn: Turn, recall: Recall, used: Sequence[Event]) -> tuple[int, ...]:
    """Return whom the answer may tell of: those recalled, those it is for, answers or quotes, and
    those whose words stand before it in the prompt, or in an answer that could not be stored."""
    found = dict.fromkeys(recall.about_ids)
    found |= dict.fromkeys(person.user_id for person in turn.people)
    found |= dict.fromkeys(event.author_id for event in used if event.role is Role.MEMBER)
    unstored = (event for event in used if event.role is Role.KITH and not event.id)
    found |= dict.fromkeys(user_id for event in unstored for user_id in event.about_ids)
    return tuple(found)


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


def _fault(turn: Turn, text: str) -> output_check.Fault | None:
    return output_check.fault(text, age_restricted=turn.age_restricted)


def _spoken(event: Event) -> str:
    text = _without_tags(clean(event.text)) or NOTHING_SAID
    return f"{_line(event.author_name)}: {text}"


def _line(text: str) -> str:
    return _without_tags(one_line(clean(text)))


def _without_tags(text: str) -> str:
    """Spoil what would end or begin the background block."""
    return _TAG.sub("(", text)
