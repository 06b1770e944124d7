"""Tools the chat model may call: remember, recall, forget, list, correct, ask later, remind, read.

Each tool is bound to the speaker and returns only what every reader of the answer may see. The
model's arguments are proposals: the answered message itself must ask for the action, contain what
is stored, and name what is forgotten or corrected. Each call is audited. Results are data for the
model, never instructions. They cover only what may be recalled now, not memories in review or in
shadow.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from utils.common.clock import Clock
from utils.common.errors import BadInput
from utils.common.text import clip
from utils.conversation import tool_definitions
from utils.conversation.memory_matching import (
    is_said,
    match_references,
    nearest,
    shares_words,
    words_of_request,
)
from utils.conversation.prompt_messages import safe_words
from utils.conversation.speaker_memories import MAX_LISTED, SpeakerMemories, date_of
from utils.conversation.tool_results import in_words, reminder_time, unseen
from utils.memory.attachments.links import LinkReader, links_of, reads_unasked
from utils.memory.member_data.editor import MemoryEditor
from utils.memory.member_data.open_loops import OpenLoops
from utils.memory.member_data.reminders import ReminderRequest, Reminders
from utils.memory.member_data.search import MAX_SEARCH_LENGTH, MemorySearch
from utils.memory.member_data.view import MemberData
from utils.memory.policy.categories import DEFAULT_CATEGORIES, Category
from utils.memory.recall.reader import Reader
from utils.memory.verification.sentences import own_words
from utils.models.conversation import PreparedPrompt, Turn
from utils.models.episode import BY_DIRECT_MESSAGE, OpenLoop
from utils.models.llm import ToolCall, ToolDefinition
from utils.models.memory import DIRECT_MESSAGES, Event, Memory, Role
from utils.models.recall import MemberMessage, Person, Recall, SearchResult
from utils.models.transfer import Statement
from utils.nlp.dates.upcoming import coming_day

if TYPE_CHECKING:  # it needs an optional dependency, of MCP_SERVERS
    from utils.mcp.mcp_tools import McpTools

MAX_CALLS = 4
MAX_MESSAGES_FORGOTTEN = 5
"""A reference that more stored messages fit is too broad to be carried out without asking."""
TOO_MANY = "Not done: that is too much at once."
RECALL_IS_OFF = (
    "Recall is switched off in this server, so nothing can be listed here; `/memory show` shows "
    "members, and only them, what is remembered of them."
)
KEPT_UNUSED = "Noted, but this server does not let it be used (yet)."
NOT_ASKED = "Not done: the speaker did not ask for that in this message."
NO_SUCH_TOOL = "There is no such tool, or something it needs is missing."
SEVERAL = "Several memories may be meant; `/memory forget` lets their owner choose."
UNSURE = "Their message does not name it; ask whether this is meant, to be confirmed by its number."
MANY_MESSAGES = (
    "Not done: {number} of their stored messages have these words. Ask which words tell it apart; "
    "`/memory search` shows them the messages, and `/memory forget` erases one or everything."
)
SEVERAL_TO_CORRECT = "Several memories may be meant; `/memory correct` lets their owner choose."
# Of a linked account. It does not say so: others read the answer.
CANNOT_CORRECT = (
    "Not done: that cannot be corrected here. `/memory show` tells the speaker, and only them, "
    "where it comes from, and they can have it forgotten."
)
STAYS_IN_SERVERS = (
    "What I know of you from servers stays there; `/memory show` shows you what I know in a server "
    "that you choose."
)
NUMBERS = "Numbers, for the other tools:"
NOTHING_FORGOTTEN = "Nothing like that is remembered; nothing was forgotten."
NOTHING_CORRECTED = "Nothing like that is remembered; nothing was corrected."
PERHAPS = "If one of these is meant, call again with its number:"
MAX_PERHAPS = 5
NOTHING_FITS = "Nothing is remembered that fits."
NOTHING_MORE = "Nothing more is remembered that fits than what you were given already."
WHEN = "On which day shall I ask? Say for example: on Friday, tomorrow, in two weeks."
IN_PRIVATE = "as it is told in confidence, I write them a direct message"
NOT_SAID = "Say in this message what I shall ask about."
FORGOTTEN = "Forgotten, for good."
WENT_WITH_IT = (
    f"{FORGOTTEN} The message that asked for it was erased with it, and so was what had been noted "
    "from it just now: ask them to say that again in a message of its own."
)
IS_ERASED = (
    "Not done: this message was erased with what it asked to forget, so nothing can be noted from "
    "it. Ask them to say the rest again in a message of its own."
)


NO_PROMPT = PreparedPrompt((), Recall())


@dataclass(frozen=True, slots=True)
class ChatTools:
    """The services that the tools use."""

    editor: MemoryEditor
    reader: Reader
    member_data: MemberData
    loops: OpenLoops
    search: MemorySearch
    clock: Clock
    reminders: Reminders
    mcp: "McpTools | None" = None
    links: LinkReader | None = None
    forbidden: frozenset[Category] = DEFAULT_CATEGORIES

    def of(self, turn: Turn, prompt: PreparedPrompt = NO_PROMPT) -> "TurnTools":
        """Return the tools for the answer to one message, which has this prompt."""
        return TurnTools(self, turn, prompt)


class TurnTools:
    """Runs the tool calls of one turn, at most four.

    ``memories`` are the speaker's, and note which of them the results contain. ``asked_later`` is
    what the last call is to be asked later, or reminded of, and ``zone`` the time zone of its day.
    """

    def __init__(self, services: ChatTools, turn: Turn, prompt: PreparedPrompt) -> None:
        self.memories = SpeakerMemories(turn, services.member_data, services.loops, services.clock)
        self._services = services
        self.forbidden = services.forbidden
        self._turn = turn
        self._member = turn.event.member
        self._said = turn.words
        self._shown = [prompt.recall]
        self._earlier = [
            event
            for event in prompt.turns
            if event.id and event.role is Role.MEMBER and event.member == turn.event.member
        ]
        self._calls = 0
        self._has_noted = self._is_erased = False
        self.asked_later: OpenLoop | None = None
        self.zone = turn.settings.zone
        self._mcp = None if services.mcp is None else services.mcp.of(turn)
        self._own: tuple[ToolDefinition, ...] = tool_definitions.TOOLS
        if services.links is not None and links_of(turn) and not reads_unasked(turn):
            self._own += (tool_definitions.LINK_TOOL,)

    @property
    def definitions(self) -> tuple[ToolDefinition, ...]:
        """The tools that the model may call in this turn: Kith's own, then those of MCP servers."""
        offered = self._own
        if not self._services.reminders.can_deliver:
            offered = tool_definitions.without_reminders(offered)
        return offered if self._mcp is None else (*offered, *self._mcp.definitions)

    @property
    def were_called(self) -> bool:
        """Whether the model has called any."""
        return self._calls > 0

    def asks_another_service(self, call: ToolCall) -> bool:
        """Whether a call may take long, because an MCP server or a web site answers it."""
        return call.name == tool_definitions.READ_LINK or call.name in (self._mcp or ())

    def end_round(self) -> None:
        """Note that the model sees the results of its calls so far before it calls again."""
        if self._mcp is not None:
            self._mcp.end_round()

    async def run(self, call: ToolCall) -> str:
        """Return a call's result, in one sentence or a list, or what is wrong with the call.

        Raises DatabaseError if the database is unavailable.
        """
        self._calls += 1
        if self._calls > MAX_CALLS:
            return TOO_MANY
        if self._mcp is not None and call.name in self._mcp:
            await self._services.loops.note_tool(self._member, self._mcp.in_audit(call.name))
            return safe_words(await self._mcp.run(call))
        if call.malformed:
            return "That call could not be read; nothing was done."
        arguments = tool_definitions.arguments_of(call, self._own)
        if arguments is None:
            return NO_SUCH_TOOL
        await self._services.loops.note_tool(self._member, call.name)
        if not tool_definitions.ASKS_FOR[call.name].search(self._said):
            return NOT_ASKED
        if self._is_erased and call.name in tool_definitions.NOTES:
            return IS_ERASED
        try:
            return await self._CARRY_OUT[call.name](self, **arguments)
        except BadInput as refused:
            return f"Not done: {refused}"

    async def _remember(self, memory: str) -> str:
        turn = self._turn
        memory_row = await self._services.editor.remember(
            self._member, turn.event, memory, turn.audience
        )
        self._has_noted = True
        return f"Remembered: {memory_row.text}" if self.memories.show([memory_row]) else KEPT_UNUSED

    async def _recall(self, query: str) -> str:
        """Recall what matches the query about the speaker, in the form of the prompt block.

        What the model was shown already is not repeated.
        """
        turn, event = self._turn, self._turn.event
        if not turn.settings.recall:
            return RECALL_IS_OFF
        recall, _ = await self._services.reader.recall_with_turns(
            turn.audience,
            [Person(event.author_id, event.author_name)],
            query,
            settings=turn.settings,
            channel_topics=turn.channel_topics,
            exclude_id=event.message_id,
        )
        self.memories.about_ids += recall.about_ids
        self.memories.add_sources(recall.provenance)
        shown_ids = {row.id for row in recall.rows}
        rows = [
            row
            for row in await self.memories.load()
            if row.id in shown_ids or shares_words(row.text, query)
        ]
        numbered = self.memories.show(rows[:MAX_LISTED])
        if not recall.block:
            return NOTHING_FITS
        block = unseen(recall, self._shown) or NOTHING_MORE
        self._shown.append(recall)
        return f"{block}\n{NUMBERS} {in_words(numbered, [])}" if numbered else block

    async def _forget(self, what: str) -> str:
        """Erase the one match, and the message that asked for it.

        Memories that wait for approval can match too, but are never listed.
        """
        event, editor = self._turn.event, self._services.editor
        memories = await self.memories.load()
        matches = match_references(memories, what, self._said)
        rows, loops = matches.items, await self._matching_loops(what)
        if len(rows) + len(loops) > 1 or (rows and not matches.is_sure):
            open_ones = self.memories.show_loops(loops) if self._turn.settings.recall else []
            listing = in_words(self.memories.show(rows), open_ones)
            question = SEVERAL if len(rows) + len(loops) > 1 else UNSURE
            return f"{question} Which one? {listing}" if listing else question
        messages = await self._messages_about(rows, what)
        if len(messages) > MAX_MESSAGES_FORGOTTEN:
            return MANY_MESSAGES.format(number=len(messages))
        if not (rows or loops or messages):
            return f"{NOTHING_FORGOTTEN}{self._perhaps(memories, what)}"
        if not loops and not await editor.forget_matches(
            self._member, SearchResult(rows, messages=messages)
        ):
            return "It was forgotten already."
        if loops:
            await self._services.loops.drop(loops[0].member, loops[0].id)
        await editor.retract(event.guild_id, self._wishes())
        self._is_erased = True
        return WENT_WITH_IT if self._has_noted else FORGOTTEN

    def _perhaps(self, memories: Sequence[Memory], what: str) -> str:
        """Return, for the model, what shares words with a reference that matches nothing."""
        near = nearest(memories, what, self._said)
        listing = in_words(self.memories.show(near[:MAX_PERHAPS]), [])
        return f" {PERHAPS} {listing}" if listing else ""

    async def _messages_about(self, rows: Sequence[Memory], what: str) -> tuple[MemberMessage, ...]:
        """Return the speaker's stored messages with all words of what is to be forgotten.

        The message that asks is not among them. A reference that is a number has no such words.
        """
        sources = self._turn.audience.sources
        text = rows[0].text if rows and not words_of_request(what) else what
        if not words_of_request(text) or not shares_words(text, self._said):
            return ()
        matches = await self._services.search.of_member(
            self._member, clip(text, MAX_SEARCH_LENGTH, at_word=True), sources, sources
        )
        wishes = self._wishes()
        return tuple(message for message in matches.messages if message.message_id not in wishes)

    def _wishes(self) -> list[int]:
        """Return the ids of the message to answer and of earlier lines that ask to forget."""
        asks_to_forget = tool_definitions.ASKS_FOR[tool_definitions.FORGET]
        earlier = (line for line in self._turn.earlier_lines if asks_to_forget.search(line.text))
        return [self._turn.event.message_id, *(line.message_id for line in earlier)]

    async def _list(self) -> str:
        if not self._turn.settings.recall:
            return RECALL_IS_OFF
        rows = self.memories.show(await self.memories.load())[:MAX_LISTED]
        listed = in_words(rows, self.memories.show_loops(await self.memories.load_loops()))
        listed = listed or "Nothing is remembered here yet."
        is_direct = self._member.guild_id == DIRECT_MESSAGES
        return f"{listed}\n{STAYS_IN_SERVERS}" if is_direct else listed

    async def _correct(self, what: str, memory: str) -> str:
        """Replace the one memory that matches with the speaker's words."""
        memories = await self.memories.load()
        rows = match_references(memories, what, self._said).items
        if not rows:
            return f"{NOTHING_CORRECTED}{self._perhaps(memories, what)}"
        if len(rows) == 1 and rows[0].user_id != self._member.user_id:
            return CANNOT_CORRECT
        if len(rows) > 1:
            listing = in_words(self.memories.show(rows), [])
            return f"{SEVERAL_TO_CORRECT} Which one? {listing}" if listing else SEVERAL_TO_CORRECT
        statement = Statement.in_message(memory, self._turn.event, self._turn.audience)
        corrected = await self._services.editor.correct(self._member, rows[0].id, statement)
        self._has_noted = True
        return f"Corrected: {corrected.text}" if self.memories.show([corrected]) else KEPT_UNUSED

    async def _ask_later(self, what: str, day: str) -> str:
        """Store an open loop: what to ask about and from which day.

        The speaker must have said what, in the message or in the turns before it.
        """
        turn, zone = self._turn, self.zone
        due = coming_day(day, turn.event.created_at, zone)
        if due is None:
            raise BadInput(WHEN)
        repeated = self._turns_with(what)
        loop = await self._services.loops.ask_later(turn.event, what, due, zone, repeated)
        self._has_noted, self.asked_later = True, loop
        if loop.channel_id == BY_DIRECT_MESSAGE:
            return f"Noted: {IN_PRIVATE} on {reminder_time(loop, zone)}: {loop.text}"
        return f"Noted: at the first talk from {date_of(loop, zone)} on, I ask about: {loop.text}"

    def _turns_with(self, topic: str) -> list[Event]:
        """Return the speaker's earlier turns that say, with the message, what a request is about.

        Raises BadInput if they do not say it.
        """
        texts, repeated = [own_words(self._turn.event.text)], list[Event]()
        for earlier in reversed(self._earlier):
            if is_said(topic, "\n".join(texts)):
                break
            text = own_words(earlier.text)
            if shares_words(topic, text):
                texts.append(text)
                repeated.append(earlier)
        if not is_said(topic, "\n".join(texts)):
            raise BadInput(NOT_SAID)
        return repeated

    async def _remind(self, what: str, when: str) -> str:
        """Store a reminder; what it is about must be in the message."""
        turn, reminders = self._turn, self._services.reminders
        if not is_said(what, own_words(turn.event.text)):
            raise BadInput(NOT_SAID)
        self.zone = await reminders.zone(self._member, turn.settings.time_zone)
        request = ReminderRequest.in_message(turn.event, what, when)
        reminder = await reminders.add(request, self.zone)
        self._has_noted, self.asked_later = True, reminder
        where = IN_PRIVATE if reminder.channel_id == BY_DIRECT_MESSAGE else "I remind them here"
        return f"Noted: {where} on {reminder_time(reminder, self.zone)}: {reminder.text}"

    async def _matching_loops(self, target: str) -> list[OpenLoop]:
        """Return what is to be asked about and meant: by its words; where asking itself is meant,
        by any word of it, or all."""
        loops = await self.memories.load_loops()
        matches = list(match_references(loops, target, self._said).items)
        if matches or not tool_definitions.ASKS_TO_BE_ASKED.search(self._said):
            return matches
        return [loop for loop in loops if shares_words(loop.text, self._said)] or loops

    async def _read_link(self, url: str) -> str:
        assert self._services.links is not None  # noqa: S101
        return await self._services.links.read(self._turn, url)

    # Functions, not bound methods: each turn would refer to itself and wait for a collection.
    _CARRY_OUT: ClassVar[Mapping[str, Callable[..., Awaitable[str]]]] = {
        tool_definitions.REMEMBER: _remember,
        tool_definitions.RECALL: _recall,
        tool_definitions.FORGET: _forget,
        tool_definitions.LIST: _list,
        tool_definitions.CORRECT: _correct,
        tool_definitions.ASK_LATER: _ask_later,
        tool_definitions.REMIND: _remind,
        tool_definitions.READ_LINK: _read_link,
    }
