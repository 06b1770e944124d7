"""One turn: persona + working memory + recall -> model -> reply.

The message is stored while the model works; only the process whose insert succeeded answers. While
the database is unavailable, the message waits in process memory. The answer then uses only what
its author said before in the same channel, and waits as well.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from utils.common.clock import Clock
from utils.common.errors import AnswerUnfit, BadInput, DatabaseError, KithError, ModelMalformed
from utils.common.links import LinkMode, shown
from utils.common.text import clean, estimate_tokens
from utils.conversation import output_filter, prompt_messages
from utils.conversation.answer_stream import AnswerStream, asked_loops, without_markers
from utils.conversation.generation import AnswerGenerator
from utils.conversation.personas import PersonaService
from utils.conversation.prompt_messages import (
    earlier_messages,
    last_message,
    people_in_prompt,
    safe_line,
    sources_of_prompt,
)
from utils.conversation.tools import ChatTools
from utils.llm import prompts
from utils.llm.client import LanguageModel
from utils.llm.token_budget import TokenBudget
from utils.memory.attachments.links import LinkReader, reads_unasked
from utils.memory.attachments.reader import AttachmentReader
from utils.memory.episodes.episode_units import HISTORY_TOKENS
from utils.memory.ingestion.ephemeral_turns import merged
from utils.memory.ingestion.recorder import Recorder
from utils.memory.privacy.consent_gate import told_openly
from utils.memory.recall.channel_context import WORKING_TURNS, is_later, running_turns
from utils.memory.recall.reader import Reader
from utils.models.conversation import Answer, PreparedPrompt, Turn
from utils.models.guild import GuildSettings
from utils.models.llm import ChatMessage
from utils.models.memory import Event, Member, RecordOutcome, Role
from utils.models.provenance import NO_PROVENANCE, Provenance
from utils.models.recall import NOBODY_NAMED, Recall
from utils.runtime.metrics import Metrics, Stage
from utils.without_model.texts import NO_MODEL

NO_PREVIEW = f"{NO_MODEL}, so there is nothing to preview a mode with."


class Conversation:
    """Answers messages to Kith; without a model, from recall and a few rules.

    ``tools`` is what the model, and buttons below its answers, can do.
    """

    def __init__(
        self,
        recorder: Recorder,
        reader: Reader,
        tools: ChatTools,
        personas: PersonaService,
        budget: TokenBudget,
        model: LanguageModel | None,
        clock: Clock,
        metrics: Metrics,
        *,
        attachments: AttachmentReader | None = None,
        link_reader: LinkReader | None = None,
        links: LinkMode = LinkMode.PLAIN,
    ) -> None:
        """``links`` is how links in answers are shown."""
        self._links = links
        self._recorder = recorder
        self._reader = reader
        self._budget = budget
        self._clock = clock
        self._model = model
        self._generator = AnswerGenerator(budget, model, tools, recorder)
        self.tools = tools
        self._personas = personas
        self._attachments = attachments
        self._link_reader = link_reader
        self._metrics = metrics

    async def answer(
        self,
        turn: Turn,
        recording: asyncio.Future[RecordOutcome] | None = None,
        stream: AnswerStream | None = None,
    ) -> Answer | None:
        """Return the answer to a message, or None if another process answers it.

        By then the message is stored, or waits for the database; also if an error is raised.
        ``recording`` is what :meth:`Recorder.recording` yields. ``stream`` carries the answer while
        it is written; the final answer may differ or be missing. Raises ModelError, BudgetSpent,
        AnswerUnfit or DatabaseError, each with a sentence for the person.
        """
        if recording is None:
            async with self._recorder.recording(turn.event, turn.audience) as started:
                return await self.answer(turn, started, stream)
        try:
            if recording.done() and not recording.result():
                return None
            turn = await self._in_own_zone(turn)
            turn = await self._with_attachment_texts(turn, recording)
            if self._link_reader is not None and reads_unasked(turn) and not turn.is_proxied:
                is_ours = await asyncio.shield(recording)
                turn = await self._link_reader.with_pages(turn) if is_ours else turn
            waits_since = self._clock.monotonic()
            async with self._generator.prompt_slot(turn.event.member) as release_slot:
                prepared = await self.prepare(turn)
                if stream is not None:
                    stream.links = self._links
                    recording.add_done_callback(stream.release)
                    stream.on_first_text = partial(
                        self._metrics.observe_stage, Stage.FIRST_WORDS, waits_since
                    )
                generated = await self._generator.generate(
                    turn, prepared, recording, stream, release_slot
                )
            self._metrics.observe_stage(Stage.MODEL, waits_since)
            text, asked = generated.text, asked_loops(generated.text, prepared.recall.loops)
            if text and not (text := without_markers(text)):
                raise ModelMalformed
            text = shown(text, self._links)
            is_ours = await asyncio.shield(recording)
        except KithError:
            if await asyncio.shield(recording):
                raise
            return None
        if not is_ours:
            return None
        self._count(turn, prepared)
        about_ids, provenance = (
            (prepared.about_ids, prepared.provenance)
            if generated.rests_on_prompt
            else ((), NO_PROVENANCE)
        )
        return Answer(
            text,
            tuple(dict.fromkeys((*about_ids, *generated.about_ids))),
            block=prepared.recall.block,
            has_memory=prepared.has_memory,
            is_stored=not self._recorder.has_unsaved_turns(turn.event),
            offered=prepared.recall.loops,
            asked=asked,
            provenance=Provenance.merged((provenance, generated.provenance)),
            used_tools=generated.used_tools,
            question=generated.question,
            stored_text=generated.stored_text,
        )

    async def note_sent(self, answer: Answer) -> None:
        """Record that an answer was sent as a whole: what it asked about is done."""
        if answer.offered:
            await self._reader.note_offers(answer.offered, answer.asked)

    def skip_notice(self, member: Member) -> None:
        """Leave the notice that no model is configured out of the first answer to a member."""
        self._generator.plain.note_informed(member)

    async def _in_own_zone(self, turn: Turn) -> Turn:
        """Return a turn whose days are counted in its author's time zone, if it can be read."""
        try:
            zone = await self.tools.reminders.zone(turn.event.member, turn.settings.time_zone)
        except DatabaseError:
            return turn
        return replace(turn, settings=replace(turn.settings, time_zone=zone.key))

    async def prepare(self, turn: Turn) -> PreparedPrompt:
        """Recall and build the prompt: everything before the model call."""
        if turn.is_proxied:
            return await self._prepare_alone(turn)
        turn, event, has_memory = self._without_erased_people(turn), turn.event, True
        try:
            with self._metrics.measure_stage(Stage.RECALL):
                recall, history = await self._reader.recall_with_turns(
                    turn.audience,
                    turn.people if turn.settings.recall else (),
                    turn.words,
                    settings=turn.settings,
                    channel_topics=turn.channel_topics,
                    exclude_id=event.message_id,
                    quoted=turn.quoted if turn.quoted and turn.quoted.message_id else None,
                )
        except DatabaseError:
            recall, history, has_memory = Recall(may_quote=False), [], False
        unstored = await self._recorder.unstored_turns(event, can_look=has_memory)
        before = [turn for turn in unstored if not is_later(turn, event.message_id)]
        history = merged(history, before)
        history += await self._recorder.unsaved_turns(event, WORKING_TURNS, can_look=has_memory)
        history = told_openly(history, event.author_id)
        if self._recorder.under_erasure:
            recall, history = self._without_erased_words(event, recall, history)
        if not turn.audience.may_read_past:
            history = running_turns(history, self._clock.now(), turn.joined_at)
        turn = turn if recall.may_quote else _without_erased_quote(turn, history)
        room = self._budget.calibration.room(HISTORY_TOKENS) - estimate_tokens(recall.now)
        used = earlier_messages(_with_lines(turn, history), room)
        if turn.replied_to is None and turn.quoted is not None:
            history_ids = {event.message_id for event, _ in used}
            turn = replace(turn, quoted=None) if turn.quoted.message_id in history_ids else turn
        messages = (
            ChatMessage(
                "system",
                await self._instructions(turn, [event for event, _ in used], has_memory=has_memory),
            ),
            *(message for _, message in used),
            last_message(
                turn,
                "\n".join(filter(None, (recall.now, recall.block))),
                used[-1][0] if used else None,
            ),
        )
        events = tuple(event for event, _ in used)
        about_ids = people_in_prompt(turn, recall, events)
        provenance = sources_of_prompt(turn, recall, events)
        return PreparedPrompt(messages, recall, about_ids, has_memory, provenance, events)

    async def _prepare_alone(self, turn: Turn) -> PreparedPrompt:
        """Build the prompt of a question that is answered without memory: its lines alone."""
        turn = replace(turn, quoted=None)
        lines = earlier_messages(turn.earlier_lines, HISTORY_TOKENS)
        recall = Recall(may_quote=False)
        instructions = await self._instructions(turn, (), has_memory=True)
        system = f"{instructions}\n\n{prompts.load('proxied').text}"
        messages = (
            ChatMessage("system", system),
            *(message for _, message in lines),
            last_message(turn, "", None),
        )
        return PreparedPrompt(
            messages, recall, (), has_memory=False, provenance=sources_of_prompt(turn, recall, ())
        )

    def _without_erased_people(self, turn: Turn) -> Turn:
        """Return the turn without the people and the quote whose words are being erased now."""
        under_erasure, guild_id = self._recorder.under_erasure, turn.event.guild_id
        if not under_erasure:
            return turn
        people = tuple(
            person
            for person in turn.people
            if Member(guild_id, person.user_id) not in under_erasure
        )
        quoted, named = turn.quoted, turn.named
        if quoted is not None and Member(guild_id, quoted.author_id) in under_erasure:
            quoted = None
        if any(Member(guild_id, person.user_id) in under_erasure for person in named.everybody):
            named = NOBODY_NAMED
        return replace(turn, people=people, quoted=quoted, named=named)

    def _without_erased_words(
        self, event: Event, recall: Recall, history: Sequence[Event]
    ) -> tuple[Recall, list[Event]]:
        """Return a recall and the turns before a message, without words that are being erased now.

        A recall that has some of them is dropped as a whole.
        """

        def is_erased(user_ids: Iterable[int]) -> bool:
            members = (Member(event.guild_id, user_id) for user_id in user_ids)
            return any(member in self._recorder.under_erasure for member in members)

        remaining = [
            turn for turn in history if not is_erased((turn.author_id, *turn.repeated_ids))
        ]
        return Recall(may_quote=False) if is_erased(recall.about_ids) else recall, remaining

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

        Raises BadInput for an unknown mode or without a model, and ModelError, BudgetSpent or
        AnswerUnfit.
        """
        if self._model is None:
            raise BadInput(NO_PREVIEW)
        manner = (
            prompt_messages.built_in_manner(mode)
            if mode in prompts.MODES
            else prompt_messages.custom_manner(await self._personas.own(settings.guild_id, mode))
        )
        text = prompt_messages.instructions(
            settings, manner, self._clock.now(), age_restricted=age_restricted
        )
        messages = [ChatMessage("system", text), ChatMessage("user", safe_line(line))]
        completion = await self._generator.ask(
            self._model, member, messages, purpose="preview", prefer=settings.models_in()
        )
        if not clean(completion.text):
            raise ModelMalformed
        if output_filter.fault(completion.text, age_restricted=age_restricted) is not None:
            self._budget.count_unfit(member)
            raise AnswerUnfit
        return shown(completion.text, self._links)

    async def _with_attachment_texts(
        self, turn: Turn, recording: asyncio.Future[RecordOutcome]
    ) -> Turn:
        """Return the turn with the texts of what is attached to any line of the question.

        Also of what came with the message that it replies to. Waits for them within a limit.
        """
        event, quoted = turn.event, turn.quoted
        attached = [line for line in (*turn.earlier_lines, event) if line.attachments]
        if self._attachments is None or not (attached or (quoted and quoted.attachments)):
            return turn
        if not await asyncio.shield(recording):
            return turn
        read = [await self._attachments.attachment_texts(line) for line in attached]
        texts = tuple(text for of_one in read for text in of_one)
        if quoted is not None and quoted.attachments:
            posted = replace(
                event,
                message_id=quoted.message_id,
                author_id=quoted.author_id,
                attachments=quoted.attachments,
            )
            quoted = replace(
                quoted,
                attachment_texts=await self._attachments.attachment_texts(
                    posted, asked_by=event.member
                ),
            )
        return replace(turn, event=replace(event, attachment_texts=texts), quoted=quoted)

    def _count(self, turn: Turn, prepared: PreparedPrompt) -> None:
        """Count the recalled items, if the database was available."""
        recall = prepared.recall
        if prepared.has_memory:
            self._metrics.observe_recall(
                turn.event.guild_id,
                len(recall.rows),
                len(recall.quotes),
                estimate_tokens(recall.block),
            )

    async def _instructions(self, turn: Turn, used: Sequence[Event], *, has_memory: bool) -> str:
        """Return the system instructions: manner, rules and time.

        Teasing is off where a target of the turn, or an author of the turns before it (``used``),
        refuses it, and while the members' choices cannot be looked up.
        """
        event, is_kind = turn.event, False
        manner = prompt_messages.active_manner(
            turn.settings, *(turn.place_ids or (event.channel_id,))
        )
        if manner.is_own or manner.name == prompt_messages.ROAST:  # it may make fun of people
            targets = turn.target_ids | {event.author_id}
            targets |= {earlier.author_id for earlier in used if earlier.role is Role.MEMBER}
            try:
                is_kind = await self._personas.any_refuses(event.guild_id, targets)
            except DatabaseError:
                is_kind = True
        text = prompt_messages.instructions(
            turn.settings,
            prompt_messages.without_teasing(manner) if is_kind else manner,
            self._clock.now(),
            age_restricted=turn.age_restricted,
            is_kind=is_kind,
        )
        return text if has_memory else f"{text}\n\n{prompts.load('away').text}"


def _with_lines(turn: Turn, history: Sequence[Event]) -> list[Event]:
    """Return the last turns before a message, with all earlier lines of its question.

    Those may lie further back, or not be stored.
    """
    last = history[-WORKING_TURNS:]
    stored = {event.message_id: event for event in history}
    lines = [stored.get(line.message_id, line) for line in turn.earlier_lines]
    return merged(last, lines)


def _without_erased_quote(turn: Turn, history: Sequence[Event]) -> Turn:
    """Return the turn without its quote, unless it is one of the turns before.

    The database does not know it as a message that may be quoted, or is away.
    """
    quoted = turn.quoted
    if quoted is None or quoted.message_id in {event.message_id for event in history}:
        return turn
    return replace(turn, quoted=None)
