"""Generate the text of an answer: call the model, run its tool calls, filter the result.

An answer may be streamed, but only once this process has stored the message it answers.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from functools import partial

from utils.common.errors import (
    AnswerUnfit,
    BadInput,
    BudgetSpent,
    DatabaseUnavailable,
    ModelError,
    ModelMalformed,
)
from utils.common.text import clean, estimate_tokens, one_line
from utils.conversation import output_filter
from utils.conversation.answer_stream import AnswerStream
from utils.conversation.control import WaitingQuestions
from utils.conversation.message_split import with_closed_spoiler
from utils.conversation.prompt_messages import without_tags
from utils.conversation.tools import WHEN, ChatTools, TurnTools
from utils.llm import prompts
from utils.llm.client import LanguageModel
from utils.llm.token_budget import TokenBudget
from utils.memory.extraction.own_statements import is_told, sentences_in, words_in
from utils.memory.ingestion.recorder import Recorder
from utils.models.conversation import (
    ForgetQuestion,
    GeneratedText,
    PreparedPrompt,
    Result,
    Turn,
    WishOutcome,
)
from utils.models.episode import LoopKind
from utils.models.llm import ChatMessage, Completion, ToolCall, ToolDefinition, as_json
from utils.models.memory import Member, RecordOutcome
from utils.models.provenance import NO_PROVENANCE, Provenance
from utils.nlp.confidential import is_confidential
from utils.nlp.languages import languages
from utils.without_model.answers import PlainAnswers, plain_turn
from utils.without_model.texts import NO_MODEL, PlainTexts, texts_of
from utils.without_model.wishes import Wish, WishKind, parse_wish

CHAT_PURPOSE = "chat"
MAX_ANSWER_TOKENS = 1024
MAX_TOOL_ROUNDS = 2


class AnswerGenerator:
    """Generates answers; without a model, from recall and a few rules."""

    def __init__(
        self,
        budget: TokenBudget,
        model: LanguageModel | None,
        tools: ChatTools,
        recorder: Recorder,
    ) -> None:
        self._budget = budget
        self._model = model
        self._tools = tools
        self._recorder = recorder
        self.plain = PlainAnswers(
            tools.clock,
            tools.reader,
            tools.member_data,
            tools.loops,
            tools.forbidden,
            tools.who_else,
        )
        self.questions = WaitingQuestions(tools.clock)

    def prompt_slot(self, member: Member) -> AbstractAsyncContextManager[Callable[[], None]]:
        """Wait for one of the model's prompt slots. Yields a function that gives it up early.

        Who has no tokens left does not wait first. Raises BudgetSpent, or ModelUnreachable after a
        long wait.
        """
        if self._model is None:
            return nullcontext(lambda: None)
        return self._model.slot(
            partial(self._budget.require, member, CHAT_PURPOSE, MAX_ANSWER_TOKENS)
        )

    async def generate(
        self,
        turn: Turn,
        prepared: PreparedPrompt,
        recording: asyncio.Future[RecordOutcome],
        stream: AnswerStream | None,
        release_slot: Callable[[], None],
    ) -> GeneratedText:
        """Ask the model and run its tool calls; the text is empty if another process answers.

        ``release_slot`` lets the next question in while another service is asked.
        """
        if prepared.has_memory and (chosen := self.questions.take(turn)) is not None:
            return await self._carry_out_choice(*chosen, turn, prepared, recording)
        if self._model is None:
            plain = await self._plain_words(turn, prepared, recording)
            if fault_in(turn, plain.text) is not None:
                raise AnswerUnfit
            untold = (line for line in sentences_in(turn.words) if not is_told(line))
            asked = words_in(" ".join(untold))
            spoken = languages().values()
            if plain.text and any(not of.answers.reminders.isdisjoint(asked) for of in spoken):
                plain = replace(plain, text=f"{plain.text}\n{texts_of(turn, prepared).reminders}")
            return plain
        messages = list(prepared.messages)
        tools = self._tools.of(turn, prepared)
        rounds = MAX_TOOL_ROUNDS if prepared.has_memory else 0
        for offered in (*[tools.definitions] * rounds, ()):
            completion = await self.ask(
                self._model,
                turn.event.member,
                messages,
                offered,
                stream=stream,
                prefer=turn.chosen_models,
            )
            if not completion.calls:
                break
            if not await self._may_change(turn, recording):
                return GeneratedText("")
            messages.append(ChatMessage("assistant", completion.text, calls=completion.calls))
            if any(tools.asks_another_service(call) for call in completion.calls):
                release_slot()
            for call in completion.calls:
                result = without_tags(await tools.run(call))
                messages.append(ChatMessage("tool", result, call_id=call.id))
            tools.end_round()
            is_gone = any(wish.result is Result.FORGOTTEN for wish in tools.forgetting)
            if is_gone or tools.calls == len(tools.forgetting) > 0:
                # The model's own words would rest on what was erased, and be deleted with it.
                return self._reply_to_wish(tools.forgetting, turn, prepared, tools)
        if not clean(completion.text):  # no visible text
            raise ModelMalformed
        if (fault := fault_in(turn, completion.text)) is not None:
            completion = await self._ask_again(self._model, turn, messages, fault, stream)
        text = completion.text
        if completion.truncated:
            text = f"{with_closed_spoiler(text)} …"
        if tools.refusals:
            text = f"{text}\n-# {texts_of(turn, prepared).not_done(tools.refusals)}"
        for reminder in tools.reminders:
            zone = tools.zone.key if tools.names_zone else ""
            text = f"{text}\n-# {texts_of(turn, prepared).reminder(reminder, zone)}"
        generated = _made_with(tools, text)
        questions = [outcome for outcome in tools.forgetting if outcome.question is not None]
        if not questions:
            return generated
        question = self._reply_to_wish(
            [replace(questions[-1], result=Result.ASKED)], turn, prepared, tools
        )
        return replace(generated, text=f"{text}\n{question.text}", question=question.question)

    def _reply_to_wish(
        self,
        outcomes: Sequence[WishOutcome],
        turn: Turn,
        prepared: PreparedPrompt,
        tools: TurnTools,
    ) -> GeneratedText:
        """Return what Kith says of wishes in its own words; the last question is asked.

        What is stored of it does not repeat what was erased.
        """
        texts = texts_of(turn, prepared)
        last_question = [outcome for outcome in outcomes if outcome.question is not None][-1:]
        completed = [outcome for outcome in outcomes if outcome.question is None]
        text = "\n".join(texts.of_wish(outcome) for outcome in (*completed, *last_question))
        question = last_question[0].question if last_question else None
        if question is not None:
            self.questions.put(turn, question)
        stored = [
            replace(outcome, texts=("…",)) if outcome.result is Result.FORGOTTEN else outcome
            for outcome in completed
        ]
        stored_text = "\n".join(texts.of_wish(outcome) for outcome in (*stored, *last_question))
        has_erased = any(outcome.result is Result.FORGOTTEN for outcome in completed)
        if has_erased and tools.refusals:
            text = f"{text}\n-# {texts.not_done(tools.refusals)}"
        generated = _made_with(tools, text)
        return replace(
            generated,
            provenance=NO_PROVENANCE if has_erased and question is None else generated.provenance,
            rests_on_prompt=False,
            used_tools=True,
            question=question,
            stored_text=stored_text,
        )

    async def _carry_out_choice(
        self,
        question: ForgetQuestion,
        choice: int,
        turn: Turn,
        prepared: PreparedPrompt,
        recording: asyncio.Future[RecordOutcome],
    ) -> GeneratedText:
        """Carry out what a member chose in words, as a press of the button does."""
        if not await self._may_change(turn, recording):
            return GeneratedText("")
        texts = texts_of(turn, prepared)
        if choice < 0:
            return GeneratedText(texts.kept, rests_on_prompt=False, used_tools=True)
        asked_in = (*question.message_ids, turn.event.message_id)
        count = await self._tools.forget(turn.event.member, question.options[choice], asked_in)
        text = texts.done if count else texts.gone_already
        return GeneratedText(text, rests_on_prompt=False, used_tools=True)

    async def _plain_words(
        self, turn: Turn, prepared: PreparedPrompt, recording: asyncio.Future[RecordOutcome]
    ) -> GeneratedText:
        """Answer without a model: carry out what the message asks for, or tell what is known."""
        turn = plain_turn(turn)
        tools = self._tools.of(turn, prepared)
        texts = texts_of(turn, prepared)
        wish = parse_wish(turn.event.text, all_kinds=True)
        later = (
            replace(wish, what=wish.what or turn.words)  # "remind me in an hour"
            if wish is not None and wish.is_for_later
            else None
        )
        is_silence = (  # "don't tell Bob"
            wish is not None and wish.kind is WishKind.DOUBTFUL and is_confidential(turn.event.text)
        )
        if wish and not is_silence and later is None and prepared.has_memory:
            if not await self._may_change(turn, recording):
                return GeneratedText("")
            try:
                done = await tools.control.carry_out(wish)
            except BadInput as refused:
                return GeneratedText(texts.refused(refused), rests_on_prompt=False)
            if done is not None:
                return self._reply_to_wish([done], turn, prepared, tools)
        reply = GeneratedText("", rests_on_prompt=False)
        if not prepared.has_memory:
            reply = replace(reply, text=f"{NO_MODEL}, and without my memory I have nothing to say.")
        elif later is None:
            outcome = await asyncio.shield(recording)
            if outcome:
                is_unsaved = self._recorder.has_unsaved_turns(turn.event)
                reply = await self.plain.answer(
                    turn, prepared, is_kept=is_unsaved or outcome is RecordOutcome.STORED
                )
        elif await self._may_change(turn, recording):
            reply = replace(reply, text=await self._ask_later(later, tools, texts))
        generated = _made_with(tools, reply.text)
        return replace(
            generated,
            about_ids=(*generated.about_ids, *reply.about_ids),
            provenance=Provenance.merged((generated.provenance, reply.provenance)),
            rests_on_prompt=reply.rests_on_prompt,
            used_tools=later is not None,
        )

    async def _ask_later(self, wish: Wish, tools: TurnTools, texts: PlainTexts) -> str:
        """Carry out a wish to be asked later; returns what to say. Raises DatabaseError."""
        when = "when" if wish.kind is WishKind.REMIND else "day"
        await tools.run(ToolCall("", wish.kind, {"what": wish.what, when: wish.day or "?"}))
        loop = tools.asked_later
        if loop is None or loop.due_at is None:
            why = next(iter(tools.refusals), None)
            if why is None:
                return texts.was_not_done
            return texts.which_day if why.template == WHEN else texts.refused(why)
        text = one_line(loop.text)
        if loop.kind is LoopKind.REMINDER:
            zone = tools.zone.key if tools.names_zone else ""
            return texts.reminded.format(at=texts.reminder(loop, zone), text=text)
        due_at, today = (
            loop.due_at.astimezone(tools.zone),
            self._tools.clock.now().astimezone(tools.zone),
        )
        return texts.asked_later.format(day=texts.day(due_at.date(), today.date()), text=text)

    async def _may_change(self, turn: Turn, recording: asyncio.Future[RecordOutcome]) -> bool:
        """Return whether tools may write: only in the process that answers, once the message is
        stored.

        Raises DatabaseUnavailable while the message waits for the database.
        """
        is_ours = await asyncio.shield(recording)
        if self._recorder.has_unsaved_turns(turn.event):
            raise DatabaseUnavailable
        return bool(is_ours)

    async def _ask_again(
        self,
        model: LanguageModel,
        turn: Turn,
        messages: Sequence[ChatMessage],
        fault: output_filter.Fault,
        stream: AnswerStream | None,
    ) -> Completion:
        """Ask once more for an answer that passes the filter. Raises AnswerUnfit if it does not."""
        instructions, *turns = messages
        note = prompts.load(f"again_{fault}").text
        noted = [replace(instructions, text=f"{instructions.text}\n\n{note}"), *turns]
        member = turn.event.member
        self._budget.count_unfit(member)
        try:
            completion = await self.ask(
                model, member, noted, stream=stream, prefer=turn.chosen_models
            )
        except (ModelError, BudgetSpent):
            raise AnswerUnfit from None
        if not clean(completion.text) or fault_in(turn, completion.text) is not None:
            self._budget.count_unfit(member)
            raise AnswerUnfit
        return completion

    async def ask(
        self,
        model: LanguageModel,
        member: Member,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolDefinition] = (),
        purpose: str = CHAT_PURPOSE,
        stream: AnswerStream | None = None,
        prefer: Sequence[str] = (),
    ) -> Completion:
        """Ask once, within the budget; the tools' definitions count as well.

        ``prefer``: the models to ask first.
        """
        completion = await self._budget.ask(
            member,
            purpose,
            messages,
            MAX_ANSWER_TOKENS,
            model.reply,
            extra_tokens=sum(estimate_tokens(as_json(tool.parameters)) for tool in tools),
            tools=tools,
            stream=stream,
            prefer=prefer,
        )
        if completion.usage.is_reported:
            self._budget.calibration.observe(
                sum(estimate_tokens(message.text) for message in messages),
                completion.usage.prompt_tokens,
                messages=len(messages),
                has_tools=bool(tools),
            )
        return completion


def _made_with(tools: TurnTools, text: str) -> GeneratedText:
    """Return a text that was made with the results of some tools."""
    memories = tools.memories
    return GeneratedText(text, memories.about_ids, memories.provenance, used_tools=tools.calls > 0)


def fault_in(turn: Turn, text: str) -> output_filter.Fault | None:
    """Return why a text may not be sent in a turn's channel, or None if it may."""
    return output_filter.fault(text, age_restricted=turn.age_restricted)
