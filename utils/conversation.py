"""One turn: persona + working memory + what is known -> model -> reply.

The message is made durable while the model thinks, and an answer is given only by the process
whose insert succeeded. While the database is away, the message waits in process memory, and it is
answered with nothing but what its author said before in the same channel, and waits as well.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from utils import manners, output_check, prompts
from utils.budget import TokenBudget
from utils.chat_tools import ChatTools
from utils.clock import Clock
from utils.errors import (
    AnswerUnfit,
    BadInput,
    DatabaseError,
    KithError,
    ModelMalformed,
)
from utils.llm_client import LanguageModel
from utils.llm_stream import OnText
from utils.memory import attached
from utils.memory.artifacts import ArtifactReader
from utils.memory.chapters import HISTORY_TOKENS
from utils.memory.common_ground import WORKING_TURNS, is_later
from utils.memory.fleeting import merged
from utils.memory.reader import Reader
from utils.memory.recorder import Recorder
from utils.memory.unwritten import of_one
from utils.metrics import CHAT, Metrics, Stage
from utils.model.conversation import Answer, Prepared, Turn
from utils.model.guild import GuildSettings
from utils.model.llm import ChatMessage
from utils.model.memory import Audience, Event, Member, Recorded, Role
from utils.model.recall import Recall
from utils.persona_book import PersonaBook
from utils.text import clean, clip, estimate_tokens, one_line
from utils.wording import NO_MODEL as NO_MODEL
from utils.wording import Wording, fault_in
from utils.wording import without_tags as _without_tags

ATTACHMENT_TOKENS = 900
QUOTED_LIMIT = 1000
NO_PREVIEW = f"{NO_MODEL}, so there is nothing to preview a mode with."
NOTHING_SAID = "(mentioned you without saying anything)"


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
        artifacts: ArtifactReader | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        self._recorder = recorder
        self._reader = reader
        self._budget = budget
        self._clock = clock
        self._model = model
        self._wording = Wording(budget, model, tools, self._waits)
        self._personas = personas
        self._artifacts = artifacts
        self._metrics = metrics or Metrics(clock)

    async def answer(
        self,
        turn: Turn,
        recording: asyncio.Future[Recorded] | None = None,
        on_text: OnText | None = None,
    ) -> Answer | None:
        """Return the answer to a message, which is durable by then, or waits for the database.

        ``recording`` is what :meth:`hearing` gave. ``on_text`` hears the answer while it is
        written, from when on the message is stored and so ours: it may still become another one,
        or none, and whoever shows it asks :meth:`may_show`. None: it is not ours to answer. Raises
        ModelError, BudgetSpent, AnswerUnfit or DatabaseError, each with a sentence for the person.
        What they said is kept in all cases.
        """
        if recording is None:
            async with self.hearing(turn) as begun:
                return await self.answer(turn, begun, on_text)
        return await self._answer(turn, recording, on_text)

    async def _answer(
        self, turn: Turn, recording: asyncio.Future[Recorded], on_text: OnText | None
    ) -> Answer | None:
        try:
            if recording.done() and not recording.result():
                return None
            turn = await self._with_surrogates(turn, recording)
            prepared = await self.prepare(turn)
            hear = None if on_text is None else _once_stored(recording, on_text)
            if hear is not None:
                hear = self._metrics.until_first(hear)
            with self._metrics.stage(Stage.MODEL):
                text, about_ids = await self._wording.find(turn, prepared, recording, hear)
            is_ours = await asyncio.shield(recording)
        except KithError:
            if await asyncio.shield(recording):
                raise
            return None
        if not is_ours:
            return None
        self._reader.raised.note(prepared.recall.loops)
        self._count(turn, prepared)
        return Answer(
            text,
            prepared.recall.block,
            tuple(dict.fromkeys((*prepared.about_ids, *about_ids))),
            prepared.has_memory,
            is_stored=not self._waits(turn),
        )

    async def prepare(self, turn: Turn) -> Prepared:
        """Recall what fits and build the prompt: all that Kith adds before the model call."""
        event, has_memory = turn.event, True
        try:
            with self._metrics.stage(Stage.RECALL):
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
    async def hearing(self, turn: Turn) -> AsyncIterator[asyncio.Future[Recorded]]:
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
            if not recording.cancelled() and recording.exception() is None and recording.result():
                self._metrics.heard(turn.event.guild_id, CHAT)

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
        completion = await self._wording.ask(self._model, member, messages, purpose="preview")
        if not clean(completion.text):
            raise ModelMalformed
        if output_check.fault(completion.text, age_restricted=age_restricted) is not None:
            await self._budget.count_unfit(member)
            raise AnswerUnfit
        return completion.text

    def may_show(self, turn: Turn, text: str) -> bool:
        """Whether a part of an answer is fit to be seen there already."""
        return fault_in(turn, text) is None

    async def said(self, answer: Event, audience: Audience) -> None:
        """Record what Kith said, as part of the channel's working memory."""
        await self._recorder.record(answer, audience)

    async def close(self) -> None:
        """Store what was spent and could not be counted yet. Raises DatabaseError."""
        await self._budget.write()

    async def _with_surrogates(self, turn: Turn, recording: asyncio.Future[Recorded]) -> Turn:
        """Wait, within a limit, until what came with a message has been read."""
        if self._artifacts is None or not turn.event.attachments:
            return turn
        if not await asyncio.shield(recording):
            return turn
        found = await self._artifacts.surrogates(turn.event)
        return replace(turn, event=replace(turn.event, surrogates=found))

    def _count(self, turn: Turn, prepared: Prepared) -> None:
        """Count what was recalled, where memory could be asked."""
        found = prepared.recall
        if prepared.has_memory:
            tokens = estimate_tokens(found.block)
            self._metrics.recalled(turn.event.guild_id, len(found.rows), len(found.said), tokens)

    def _waits(self, turn: Turn) -> bool:
        """Whether what is said in this channel waits for the database."""
        return self._recorder.backlog.waits_in(turn.event.guild_id, turn.event.channel_id)

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


def _once_stored(recording: asyncio.Future[Recorded], on_text: OnText) -> OnText:
    """Let an answer be heard once its message is stored: nobody else answers it then."""
    latest, is_stored = "", False

    def hear(text: str) -> None:
        nonlocal latest
        latest = text
        if is_stored:
            on_text(text)

    def settle(done: asyncio.Future[Recorded]) -> None:
        nonlocal is_stored
        is_known = not done.cancelled() and done.exception() is None
        is_stored = is_known and done.result() is Recorded.STORED
        if is_stored and latest:
            on_text(latest)

    recording.add_done_callback(settle)
    return hear


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
    event = turn.event
    if event.surrogates:
        told = "\n".join(attached.told(event.surrogates, event.text, ATTACHMENT_TOKENS))
        parts.append(f"<attachments>\n{_without_tags(clean(told))}\n</attachments>")
    parts.append(_spoken(replace(event, surrogates=())))
    return ChatMessage("user", "\n".join(parts))


def _spoken(event: Event) -> str:
    text = _without_tags(clean(event.text)) or NOTHING_SAID
    lines = [f"{_line(event.author_name)}: {text}", *(_line(one.line) for one in event.surrogates)]
    return "\n".join(lines)


def _line(text: str) -> str:
    return _without_tags(one_line(clean(text)))
