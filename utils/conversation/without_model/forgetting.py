"""Carry out wishes to forget without a language model: "forget Tofu", "vergiss alles".

They reach memories and stored messages. To forget everything is asked back first.
"""

import re
from dataclasses import replace

from utils.common.bounded import BoundedDict
from utils.common.clock import Clock
from utils.common.errors import BadInput
from utils.conversation.tool_definitions import FORGET
from utils.conversation.tools import NOT_ASKED, NOTHING_FORGOTTEN, ChatTools, TurnTools
from utils.conversation.without_model.requests import (
    ForgetRequest,
    parse_forgetting,
)
from utils.models.conversation import PreparedPrompt, Turn
from utils.models.llm import ToolCall
from utils.models.memory import Role
from utils.models.recall import SearchResult
from utils.without_model.small_talk import Remark, parse_remark
from utils.without_model.texts import PlainTexts

MAX_WAITING = 10_000  # members who were asked back
CONFIRM_WITHIN_S = 300.0
MAX_FORGOTTEN_AT_ONCE = 5  # of a sentence; a name has no limit
_BY_TOOL = re.compile(r"#?\d+\Z|you\b", re.IGNORECASE)
_ENGLISH_DETERMINERS = {"my", "our", "the"}
_GERMAN_ARTICLES = {"der", "die", "das", "den", "dem"}
_GERMAN_POSSESSIVES = {"mein", "meine", "meinen", "meinem", "meiner", "unser", "unsere", "unseren"}
_DETERMINERS = _ENGLISH_DETERMINERS | _GERMAN_ARTICLES | _GERMAN_POSSESSIVES


class PlainForgetting:
    """Understands and carries out wishes to forget."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: BoundedDict[tuple[int, int, int], tuple[ForgetRequest, float]] = BoundedDict(
            MAX_WAITING
        )  # with the time until which a yes counts

    def request(self, turn: Turn) -> ForgetRequest | None:
        """Return what a message asks to forget; also if it says yes to the question before it.

        Any other message takes that question back.
        """
        request = parse_forgetting(turn.event.text)
        key = _place(turn)
        waiting = self._waiting.get(key)
        is_yes = request is None and parse_remark(turn.event.text) is Remark.AGREEMENT
        if is_yes and waiting is not None and self._clock.monotonic() < waiting[1]:
            request = replace(waiting[0], is_confirmed=True)
        self._waiting.pop(key, None)
        if request is not None and request.is_confirmed:
            asked_in = waiting[0].asked_in if waiting is not None else 0
            request = replace(request, asked_in=asked_in)
        return request

    async def carry_out(
        self,
        request: ForgetRequest,
        turn: Turn,
        prepared: PreparedPrompt,
        services: ChatTools,
        tools: TurnTools,
        texts: PlainTexts,
    ) -> str:
        """Carry out a wish to forget, or ask back; returns what to say.

        Raises DatabaseError.
        """
        if request.is_last:
            return await _forget_last(turn, prepared, services, texts)
        if not request.what:
            if not request.is_confirmed:
                return self._ask_back(request, turn, texts.ask_all)
            await services.editor.forget_all(turn.event.member)
            return texts.forgotten
        if _BY_TOOL.match(request.what):
            return await tools.run(ToolCall("", FORGET, {"what": request.what}))
        matches = await self._matches(request, turn, services)
        count = len(matches.rows) + len(matches.messages)
        phrase = _named(request.what)
        if request.is_everything and not request.is_confirmed:
            if not count:
                return texts.nothing_fits
            return self._ask_back(request, turn, texts.ask_about.format(what=phrase))
        if not count:
            result = await tools.run(ToolCall("", FORGET, {"what": request.what}))
            is_unknown = result == NOT_ASKED or result.startswith(NOTHING_FORGOTTEN)
            return texts.nothing_fits if is_unknown else result
        is_broad = not request.is_everything and not request.is_name
        if is_broad and len(matches.rows) > 1 and count > MAX_FORGOTTEN_AT_ONCE:
            return texts.too_much.format(what=phrase)
        while count:
            await services.editor.forget_matches(turn.event.member, matches)
            more = matches.has_more or matches.has_more_messages
            matches = await self._matches(request, turn, services) if more else SearchResult(())
            count = len(matches.rows) + len(matches.messages)
        wishes = [turn.event.message_id, *filter(None, [request.asked_in])]
        await services.editor.retract(turn.event.guild_id, wishes)
        return texts.forgotten

    async def _matches(
        self, request: ForgetRequest, turn: Turn, services: ChatTools
    ) -> SearchResult:
        """Return what has all words of a wish, without the message that wishes it."""
        try:
            result = await services.search.of_member(
                turn.event.member, _named(request.what), linked_sources=turn.audience.sources
            )
        except BadInput:
            return SearchResult(())
        messages = [
            message
            for message in result.messages
            if message.message_id != turn.event.message_id and not parse_forgetting(message.text)
        ]
        return replace(result, messages=tuple(messages))

    def _ask_back(self, request: ForgetRequest, turn: Turn, text: str) -> str:
        request = replace(request, asked_in=turn.event.message_id)
        self._waiting[_place(turn)] = (request, self._clock.monotonic() + CONFIRM_WITHIN_S)
        return text


async def _forget_last(
    turn: Turn, prepared: PreparedPrompt, services: ChatTools, texts: PlainTexts
) -> str:
    """Erase the member's last message here, the wish itself, and all that rests on them."""
    event = turn.event
    message_ids = [
        earlier.message_id
        for earlier in prepared.turns
        if earlier.author_id == event.author_id and earlier.role is Role.MEMBER
    ]
    if not message_ids:
        return texts.nothing_fits
    await services.editor.retract(event.guild_id, [message_ids[-1], event.message_id])
    return texts.forgotten


def _named(what: str) -> str:
    """Return what is to be forgotten without a determiner before it: "my cat" -> "cat"."""
    words = what.split()
    while len(words) > 1 and words[0].casefold().strip(",") in _DETERMINERS:
        words.pop(0)
    return " ".join(words)


def _place(turn: Turn) -> tuple[int, int, int]:
    return turn.event.guild_id, turn.event.channel_id, turn.event.author_id
