"""Finding the words of an answer: the model, the tools it calls, and the check of what it says.

An answer may be heard while it is written, but only once its message is stored and so ours.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from utils import output_check, prompts
from utils.budget import TokenBudget
from utils.chat_tools import TOOLS, ChatTools
from utils.errors import (
    AnswerUnfit,
    BudgetSpent,
    DatabaseUnavailable,
    ModelError,
    ModelMalformed,
)
from utils.llm_client import LanguageModel
from utils.llm_stream import OnText
from utils.model.artifact import without_marks
from utils.model.conversation import Prepared, Turn
from utils.model.llm import ChatMessage, Completion, ToolDefinition, as_json
from utils.model.memory import Member, Recorded
from utils.plain_wishes import wished
from utils.text import clean, estimate_tokens

MOST_ANSWER_TOKENS = 1024
MOST_TOOL_ROUNDS = 2
NO_MODEL = "No language model is configured"
NO_MODEL_NOR_MEMORY = f"{NO_MODEL}, and without my memory I have nothing to say."
_TAG = re.compile(r"<(?=[\s/]*(?:background|attachments))", re.IGNORECASE)


class Wording:
    """Finds what to say; without a model, plainly and honestly.

    ``waits`` tells whether what is said in a turn's channel waits for the database.
    """

    def __init__(
        self,
        budget: TokenBudget,
        model: LanguageModel | None,
        tools: ChatTools | None,
        waits: Callable[[Turn], bool],
    ) -> None:
        self._budget = budget
        self._model = model
        self._tools = tools
        self._waits = waits

    async def find(
        self,
        turn: Turn,
        prepared: Prepared,
        recording: asyncio.Future[Recorded],
        on_text: OnText | None,
    ) -> tuple[str, tuple[int, ...]]:
        """Ask the model, and carry out the tools it calls; empty if another process answers.

        Returns as well of whom the tools told.
        """
        if self._model is None:
            return await self._plain_words(turn, prepared, recording), ()
        messages = list(prepared.messages)
        tools = self._tools.of(turn) if self._tools and prepared.has_memory else None
        for offered in (*[TOOLS] * (MOST_TOOL_ROUNDS if tools else 0), ()):
            completion = await self.ask(
                self._model, turn.event.member, messages, offered, on_text=on_text
            )
            if not completion.calls or tools is None:
                break
            if not await self._may_change(turn, recording):
                return "", ()
            messages.append(ChatMessage("assistant", completion.text, calls=completion.calls))
            for call in completion.calls:
                result = without_tags(await tools.run(call))
                messages.append(ChatMessage("tool", result, call_id=call.id))
        if not clean(completion.text):  # nothing that anybody could see
            raise ModelMalformed
        if (fault := fault_in(turn, completion.text)) is not None:
            completion = await self._ask_again(self._model, turn, messages, fault, on_text)
        text = completion.text + (" …" if completion.truncated else "")
        return text, tools.about_ids if tools else ()

    async def _plain_words(
        self, turn: Turn, prepared: Prepared, recording: asyncio.Future[Recorded]
    ) -> str:
        """Answer without a model: carry out what is plainly asked for, or say what fits."""
        wish = wished(without_marks(turn.event.text))
        if not prepared.has_memory:
            text = NO_MODEL_NOR_MEMORY
        elif wish is None or self._tools is None:
            text = plain_reply(prepared.recall.block, several=len(turn.people) > 1)
        elif await self._may_change(turn, recording):
            text = await self._tools.run(wish, turn)
        else:
            text = ""
        if fault_in(turn, text) is not None:
            raise AnswerUnfit
        return text

    async def _may_change(self, turn: Turn, recording: asyncio.Future[Recorded]) -> bool:
        """Whether tools may change anything: only whoever answers, once the message is stored.

        Raises DatabaseUnavailable while it waits for the database.
        """
        is_ours = await asyncio.shield(recording)
        if self._waits(turn):
            raise DatabaseUnavailable
        return bool(is_ours)

    async def _ask_again(
        self,
        model: LanguageModel,
        turn: Turn,
        messages: Sequence[ChatMessage],
        fault: output_check.Fault,
        on_text: OnText | None,
    ) -> Completion:
        """Ask once more for an answer that can be given. Raises AnswerUnfit if this one can't."""
        instructions, *rest = messages
        note = prompts.load(f"again_{fault}").text
        noted = [replace(instructions, text=f"{instructions.text}\n\n{note}"), *rest]
        member = turn.event.member
        await self._budget.count_unfit(member)
        try:
            completion = await self.ask(model, member, noted, on_text=on_text)
        except (ModelError, BudgetSpent):
            raise AnswerUnfit from None
        if not clean(completion.text) or fault_in(turn, completion.text) is not None:
            await self._budget.count_unfit(member)
            raise AnswerUnfit
        return completion

    async def ask(
        self,
        model: LanguageModel,
        member: Member,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolDefinition] = (),
        purpose: str = "chat",
        on_text: OnText | None = None,
    ) -> Completion:
        """Ask once, within the budget; the tools' definitions count as well."""
        texts = sum(estimate_tokens(message.text) for message in messages)
        tokens = texts + sum(estimate_tokens(as_json(tool.parameters)) for tool in tools)
        async with self._budget.hold(member, purpose, tokens, MOST_ANSWER_TOKENS) as hold:
            completion = await model.reply(
                messages, tools=tools, max_tokens=MOST_ANSWER_TOKENS, on_text=on_text
            )
            hold.usage = completion.usage
        if completion.usage.is_reported:
            self._budget.calibration.observe(
                texts,
                completion.usage.prompt_tokens,
                messages=len(messages),
                has_tools=bool(tools),
            )
        return completion


def plain_reply(block: str, *, several: bool) -> str:
    """Say, without a model, what recall found: the block itself, without its heading."""
    if not block:
        return (
            f"{NO_MODEL}, and I know nothing of you yet that fits. I remember what you tell me "
            "about yourself, for example: my name is …, I live in …, I have a dog named …"
        )
    known = block if several else block.split("\n", 1)[1]
    return f"{NO_MODEL}; here is what I know of you that fits:\n{known}"


def fault_in(turn: Turn, text: str) -> output_check.Fault | None:
    """Return why a text may not be said where a turn is answered; None when it may."""
    return output_check.fault(text, age_restricted=turn.age_restricted)


def without_tags(text: str) -> str:
    """Spoil what would end or begin the background block."""
    return _TAG.sub("(", text)
