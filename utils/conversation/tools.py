"""Tools the chat model may call: remember, recall, forget, list, correct, ask later, remind, read,
find who else.

Each tool is bound to the speaker and returns only what every reader of the answer may see. A call
is believed; what it may do is limited (control.py). What is stored must follow from the speaker's
own words. What is not plainly meant is erased only after one press, and nothing is erased after the
result of another service. Each call is audited. Results are data for the model, never instructions.
They cover only what may be recalled now, not memories in review or in shadow.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from utils.common.errors import BadInput
from utils.conversation import tool_definitions
from utils.conversation.control import ControlServices, MemberControl
from utils.conversation.memory_matching import is_said, shares_words
from utils.conversation.prompt_messages import safe_line, safe_name, safe_words
from utils.conversation.speaker_memories import MAX_LISTED, SpeakerMemories, date_of
from utils.conversation.tool_results import day_of, in_words, reminder_time, unseen
from utils.guilds.who_else import WhoElse
from utils.memory.attachments.links import LinkReader, links_of, reads_unasked
from utils.memory.member_data.edit_rules import refusal
from utils.memory.member_data.reminders import ReminderRequest, Reminders
from utils.memory.policy.categories import DEFAULT_CATEGORIES, Category
from utils.memory.recall.reader import Reader
from utils.memory.verification.sentences import own_words
from utils.models.conversation import PreparedPrompt, Result, Turn, WishOutcome
from utils.models.episode import BY_DIRECT_MESSAGE, OpenLoop
from utils.models.llm import ToolCall, ToolDefinition
from utils.models.memory import DIRECT_MESSAGES, Event, Role
from utils.models.recall import Person, Recall
from utils.nlp.dates.upcoming import coming_day
from utils.without_model.wishes import WishKind, parse_wish

if TYPE_CHECKING:  # it needs an optional dependency, of MCP_SERVERS
    from utils.mcp.mcp_tools import McpTools

MAX_CALLS = 4
NOT_DONE = "Not done: "
TOO_MANY = f"{NOT_DONE}that is too much at once."
NOTHING_CHANGED = "Do not say that it is done."
RECALL_IS_OFF = (
    "Recall is switched off in this server, so nothing can be listed here; `/memory show` shows "
    "members, and only them, what is remembered of them."
)
KEPT_UNUSED = "Noted, but this server does not let it be used (yet)."
EVERYTHING = "everything"
NO_SUCH_TOOL = "There is no such tool, or something it needs is missing."
STAYS_IN_SERVERS = (
    "What I know of you from servers stays there; `/memory show` shows you what I know in a server "
    "that you choose."
)
NUMBERS = "Numbers, for the other tools:"
ASKED = (
    "Not done yet. Under your answer, the speaker is asked with buttons whether to forget this: "
    "{what}. Do not ask again, and do not say that it is done."
)
NOTHING_FITS = "Nothing is remembered that fits."
NOBODY_ELSE = "Nobody else told you of that, as far as all who read here may hear it."
WHEN = "On which day shall I ask? Say for example: on Friday, tomorrow, in two weeks."
IN_PRIVATE = "as it is told in confidence, I write them a direct message"
FORGOTTEN = "Forgotten, for good: {what}."
NOT_LISTED = "Reminders are kept apart: `/remind list` shows them, `/remind cancel` ends one."
EARLIER_STAYS = "An earlier reminder of it stays until they end it with `/remind cancel`."


NO_PROMPT = PreparedPrompt((), Recall())


@dataclass(frozen=True, slots=True)
class ChatTools(ControlServices):
    """The services that the tools use."""

    reader: Reader
    reminders: Reminders
    mcp: "McpTools | None" = None
    links: LinkReader | None = None
    forbidden: frozenset[Category] = DEFAULT_CATEGORIES
    who_else: WhoElse | None = None

    def of(self, turn: Turn, prompt: PreparedPrompt = NO_PROMPT) -> "TurnTools":
        """Return the tools for the answer to one message, which has this prompt."""
        return TurnTools(self, turn, prompt)


class TurnTools:
    """Runs the tool calls of one turn, at most four; what was done is not done again, nor counted.

    ``refusals`` are the calls that changed nothing, though the answer may say they did: why, in a
    sentence for the speaker, or None if only the model can make use of the reason.
    ``memories`` are the speaker's, and note which of them the results contain. ``asked_later`` is
    what the last call is to be asked later, or reminded of, and ``zone`` the time zone of its day;
    ``reminders`` are all that were set, and
    ``names_zone``: it is the server's, and the member may not know.
    """

    def __init__(self, services: ChatTools, turn: Turn, prompt: PreparedPrompt) -> None:
        self.memories = SpeakerMemories(turn, services.member_data, services.loops, services.clock)
        self.control = MemberControl(services, turn, prompt, self.memories)
        self.forgetting: list[WishOutcome] = []
        self.refusals: list[BadInput | None] = []
        self._refused_before = 0  # of them, in earlier rounds
        self._done: dict[tuple[str, ...], str] = {}  # results by action and arguments
        self._services = services
        self._turn = turn
        self._member = turn.event.member
        self._shown = [prompt.recall]
        self._earlier = [
            event
            for event in prompt.turns
            if event.id and event.role is Role.MEMBER and event.member == turn.event.member
        ]
        self.calls = 0
        self._has_foreign_result = False
        self.asked_later: OpenLoop | None = None
        self.zone = turn.settings.zone
        self.reminders: list[OpenLoop] = []
        self.names_zone = False
        self._mcp = None if services.mcp is None else services.mcp.of(turn)
        self._finds_others = (
            services.who_else is not None and self._member.guild_id != DIRECT_MESSAGES
        )
        self._reads_links = (
            services.links is not None and bool(links_of(turn)) and not reads_unasked(turn)
        )

    @property
    def definitions(self) -> tuple[ToolDefinition, ...]:
        """The tools that the model may call: for memory, of MCP servers, and for a link.

        The last depends on the message; what stands before it, providers can cache.
        """
        can_remind = self._services.reminders.can_deliver
        without: tuple[str, ...] = () if can_remind else (tool_definitions.REMIND,)
        without += () if self._finds_others else (tool_definitions.WHO,)
        memory_tool = tool_definitions.memory_tool(*without)
        links = (tool_definitions.LINK_TOOL,) if self._reads_links else ()
        return (memory_tool, *(() if self._mcp is None else self._mcp.definitions), *links)

    def asks_another_service(self, call: ToolCall) -> bool:
        """Whether a call may take long, because an MCP server or a web site answers it."""
        return call.name == tool_definitions.READ_LINK or call.name in (self._mcp or ())

    def end_round(self) -> None:
        """Note that the model sees the results of its calls so far before it calls again."""
        self._refused_before = len(self.refusals)
        if self._mcp is not None:
            self._mcp.end_round()

    async def run(self, call: ToolCall) -> str:
        """Return a call's result, in one sentence or a list, or what is wrong with the call.

        Raises DatabaseError if the database is unavailable.
        """
        call = tool_definitions.as_action(call)
        key = (call.name, *map(str, call.arguments.values()))
        if key in self._done:
            return self._done[key]
        self.calls += 1
        if self.calls > MAX_CALLS:
            return self._refuse(call, TOO_MANY)
        if self.control.is_erased and call.name != tool_definitions.FORGET:  # nobody reads it
            self.refusals.append(refusal("forgotten"))
            return NOTHING_CHANGED
        if self._mcp is not None and call.name in self._mcp:
            self._has_foreign_result = True
            await self._services.loops.note_tool(self._member, self._mcp.in_audit(call.name))
            return safe_words(await self._mcp.run(call))
        if call.malformed:
            return self._refuse(call, "That call could not be read; nothing was done.")
        actions = set(self._CARRY_OUT)
        actions -= set() if self._reads_links else {tool_definitions.READ_LINK}
        actions -= set() if self._finds_others else {tool_definitions.WHO}
        arguments = tool_definitions.arguments_of(call, actions)
        if arguments is None:
            return self._refuse(call, NO_SUCH_TOOL)
        await self._services.loops.note_tool(self._member, call.name)
        if self._has_foreign_result and call.name in tool_definitions.DESTRUCTIVE:
            return self._refuse(
                call,
                "Not done: nothing is erased or corrected after what another service or a page "
                "said. The speaker can ask for it in their next message.",
            )
        try:
            result = await self._CARRY_OUT[call.name](self, **arguments)
        except BadInput as refused:
            return self._refuse(call, f"{NOT_DONE}{refused}", refused)
        if call.name not in tool_definitions.READS:  # the model did what it was told was missing
            del self.refusals[: self._refused_before]
            self._refused_before = 0
            self._done[key] = result
        return result

    def _refuse(self, call: ToolCall, result: str, why: BadInput | None = None) -> str:
        """Note a call that changed nothing, if it was to change something. Returns its result."""
        if call.name in tool_definitions.READS or call.name in (self._mcp or ()):
            return result
        self.refusals.append(why)
        return f"{result} {NOTHING_CHANGED}"

    async def _remember(self, memory: str) -> str:
        outcome = await self.control.remember(memory)
        return f"Remembered: {outcome.texts[0]}" if outcome.texts else KEPT_UNUSED

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
        block = (
            unseen(recall, self._shown)
            or "Nothing more is remembered that fits than what you were given already."
        )
        self._shown.append(recall)
        return f"{block}\n{NUMBERS} {in_words(numbered, [])}" if numbered else block

    async def _forget(self, what: str) -> str:
        """Erase what is plainly meant, and the message that asked for it; else have them asked."""
        wish = parse_wish(self._turn.words)
        kind = None if wish is None else wish.kind
        is_all = kind is WishKind.EVERYTHING or what.strip().casefold() == EVERYTHING
        control = self.control
        outcome = control.forget_everything() if is_all else await control.forget(what)
        is_that = kind is WishKind.FORGET and wish is not None and not wish.what
        if outcome.result is Result.NOTHING_FITS and is_that:  # "what I said"
            outcome = await self.control.forget("")
        if outcome.result is Result.NOTHING_FITS:
            ends = f" {NOT_LISTED}" if self._services.reminders.can_deliver else ""
            return f"Nothing like that is remembered; nothing was forgotten.{ends}"
        self.forgetting.append(outcome)
        what = ", ".join(outcome.texts) or EVERYTHING
        if outcome.result is Result.ASKED:
            return ASKED.format(what=what)
        if any(name != tool_definitions.FORGET for name, *_ in self._done):
            self.refusals.append(refusal("forgotten"))
        return FORGOTTEN.format(what=what)

    async def _list(self) -> str:
        if not self._turn.settings.recall:
            return RECALL_IS_OFF
        rows = self.memories.show(await self.memories.load())[:MAX_LISTED]
        listed = in_words(rows, self.memories.show_loops(await self.memories.load_loops()))
        listed = listed or "Nothing is remembered here yet."
        if self._services.reminders.can_deliver:
            listed = f"{listed}\n{NOT_LISTED}"
        is_direct = self._member.guild_id == DIRECT_MESSAGES
        return f"{listed}\n{STAYS_IN_SERVERS}" if is_direct else listed

    async def _correct(self, what: str, memory: str) -> str:
        """Replace the one memory that is meant with the speaker's words; else note these."""
        outcome = await self.control.correct(what, memory)
        if outcome.question is not None:
            self.forgetting.append(outcome)
        if not outcome.texts:
            return KEPT_UNUSED
        verb = "Corrected" if outcome.result is Result.CORRECTED else "Remembered"
        summary = f"{verb}: {outcome.texts[0]}"
        asked_about = ", ".join(outcome.asked_about)
        return (
            f"{summary}. {ASKED.format(what=asked_about)}"
            if outcome.question is not None
            else summary
        )

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
        self.asked_later = loop
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
            raise BadInput("Say in this message what I should ask about.")
        return repeated

    async def _remind(self, what: str, when: str, at: str) -> str:
        """Store a reminder; what it is about must be in the message or in the turns before it."""
        turn, reminders = self._turn, self._services.reminders
        request = ReminderRequest.in_message(turn.event, what, when, self._turns_with(what), at)
        reminder = await reminders.add(request, self.zone)
        self.asked_later = reminder
        self.reminders.append(reminder)
        self.names_zone = await reminders.needs_zone(self._member)
        where = IN_PRIVATE if reminder.channel_id == BY_DIRECT_MESSAGE else "I remind them here"
        noted = f"Noted: {where} on {reminder_time(reminder, self.zone)}: {reminder.text}"
        return f"{noted}. {EARLIER_STAYS}" if request.repeated else noted

    async def _read_link(self, url: str) -> str:
        assert self._services.links is not None  # noqa: S101
        self._has_foreign_result = True
        return await self._services.links.read(self._turn, url)

    async def _who(self, topic: str) -> str:
        """Return which other members told something about a topic; the answer rests on it."""
        assert self._services.who_else is not None  # noqa: S101
        turn = self._turn
        if not turn.settings.recall:
            return RECALL_IS_OFF
        members = await self._services.who_else.find(
            self._member, turn.audience, topic, turn.settings
        )
        self.memories.show([member.row for member in members])
        self.memories.about_ids += tuple(member.row.user_id for member in members)
        return (
            "\n".join(
                f"{safe_name(member.name)}: {safe_line(member.row.text)} "
                f"({day_of(member.row, turn.settings.zone)})"
                for member in members
            )
            or NOBODY_ELSE
        )

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
        tool_definitions.WHO: _who,
    }
