"""Speaking first: what Kith says in a silent channel, if the model finds something worth saying.

One call chooses a subject or silence, another one writes. Nothing is said without a model. What is
about to be said is noted before it is sent, so that it is said once at most.
"""

from dataclasses import dataclass
from datetime import timedelta

from utils.common.links import LinkMode, shown
from utils.common.text import age_in_words, clean, clip
from utils.conversation import output_filter, prompt_messages
from utils.conversation.answer_stream import without_markers
from utils.conversation.prompt_messages import safe_line, safe_name
from utils.database.core.engine import Connection, reads, writes
from utils.database.guilds import speaking_places
from utils.database.memories import members
from utils.database.messages import open_loops
from utils.guilds.known_members import KnownMembers
from utils.guilds.speaking_places import spoken_today
from utils.llm import prompts
from utils.llm.client import LanguageModel
from utils.llm.token_budget import TokenBudget
from utils.memory.policy.write_policy import WriteRules
from utils.memory.privacy.consent_gate import allowed_turns, told_openly
from utils.memory.recall.channel_context import STILL_GOING_ON, last_turns
from utils.memory.recall.prompt_block import OPEN_WORDS
from utils.memory.recall.reader import Reader
from utils.memory.safety.filter import refusal_reason
from utils.models.episode import LoopState, OpenLoop
from utils.models.guild import GuildSettings, SpeakingPlace
from utils.models.llm import ChatMessage, ToolDefinition, object_schema
from utils.models.memory import SERVER_USER_ID, Audience, Consent, Event, Member, Role
from utils.models.provenance import Provenance, SourceKind, SourceRef
from utils.models.recall import Person, Recall
from utils.runtime.worker import InfrastructureService

PURPOSE = "speaking"
MAX_LOOPS = 5
MAX_TURN_AGE = timedelta(days=7)
JUDGE_TOKENS = 100
ANSWER_TOKENS = 300
HISTORY_TOKENS = 1_500
TEXT_LIMIT = 600
CHOOSE = ToolDefinition(
    name="choose_subject",
    description="Choose what Kith brings up, or silence.",
    parameters=object_schema(subject={"type": "integer", "description": "0: silence"}),
)


@dataclass(frozen=True, slots=True)
class Occasion:
    """A silent channel: who reads it, and what its members left open there.

    ``loops`` have the member's name as everybody sees it. ``place`` is as its claim left it.
    """

    place: SpeakingPlace
    audience: Audience
    settings: GuildSettings
    loops: tuple[tuple[OpenLoop, str], ...]
    age_restricted: bool = False

    @property
    def server(self) -> Member:
        """Whose budget pays."""
        return Member(self.place.guild_id, SERVER_USER_ID)


@dataclass(frozen=True, slots=True)
class FirstRemark:
    """What Kith says first. ``loop`` is what it is about, if a member left that open.

    ``named_ids`` are the members whom the text names, ``about_ids`` those whose words its prompt
    held.
    """

    text: str
    loop: OpenLoop | None
    about_ids: tuple[int, ...]
    named_ids: frozenset[int]
    provenance: Provenance


@dataclass(eq=False, repr=False)
class SpeakingFirst(InfrastructureService):
    """Finds something to say in a silent channel."""

    _rules: WriteRules
    _reader: Reader
    _model: LanguageModel | None
    _budget: TokenBudget
    _known_members: KnownMembers

    @property
    def can_speak(self) -> bool:
        """Whether there is a model, and what is said can be stored."""
        return self._model is not None and not self._rules.read_only

    @reads
    def open_loops(self, connection: Connection, audience: Audience) -> list[OpenLoop]:
        """Return what members left open in a channel and may be asked about now.

        Nothing of members who refused that, or whose consent is off. Raises DatabaseError.
        """
        now = self._clock.now()
        loops = open_loops.load_of_channel(connection, audience.guild_id, audience.channel_id)
        refused = _unwilling(connection, audience.guild_id, {loop.member.user_id for loop in loops})
        may_mention = [
            loop
            for loop in loops
            if loop.member.user_id not in refused
            and loop.source_id in audience.sources
            and (loop.due_at or loop.created_at + STILL_GOING_ON) <= now < loop.expires_at
            and not self._reader.loop_offers.is_settled(loop, now)
            and refusal_reason(loop.text, self._rules.forbidden) is None
        ]
        return sorted(may_mention, key=lambda loop: loop.due_at is None)[:MAX_LOOPS]

    async def compose(self, occasion: Occasion) -> FirstRemark | None:
        """Return what to say, or None for silence.

        Raises ModelError, BudgetSpent or DatabaseError.
        """
        if self._model is None or occasion.settings.frozen:
            return None
        turns = await self._turns(occasion)
        loops = occasion.loops if occasion.settings.recall else ()
        if not turns and not loops:
            return None
        subjects = [self._in_words(occasion, loop, name) for loop, name in loops]
        if any(turn.role is Role.MEMBER for turn in turns):
            subjects.append("Take up what was said last, if there is something to add or to ask")
        number = await self._choose(self._model, occasion, turns, subjects)
        if not 1 <= number <= len(subjects):
            return None
        loop, name = loops[number - 1] if number <= len(loops) else (None, "")
        person = None if loop is None else Person(loop.member.user_id, name)
        # What everybody in the channel may hear about the subject.
        texts = [turn.text for turn in turns if turn.role is Role.MEMBER]
        recall = await self._reader.recall(
            occasion.audience,
            () if person is None else (person,),
            " ".join(texts[-2:]) if loop is None else loop.text,
            settings=occasion.settings,
            speaks_first=True,
        )
        text = await self._write(self._model, occasion, turns, recall, subjects[number - 1])
        if text is None:
            return None
        named = await self._known_members.bearers(occasion.place.guild_id, text)
        said_by = (turn.author_id for turn in turns if turn.role is Role.MEMBER)
        about = (*recall.about_ids, *said_by, *([] if person is None else [person.user_id]))
        provenance = prompt_messages.sources_of_turns(recall, turns)
        if loop is not None:
            source = SourceRef(SourceKind.MESSAGE, loop.message_id, user_id=loop.member.user_id)
            of_loop = Provenance(sources=(source,), loops=((loop.id, loop.message_id),))
            provenance = Provenance.merged((of_loop, provenance))
        return FirstRemark(text, loop, tuple(dict.fromkeys(about)), named, provenance)

    @writes
    def begin(self, connection: Connection, occasion: Occasion, remark: FirstRemark) -> bool:
        """Note that a remark is sent now; returns False if it must not be.

        That is so if the channel was muted, if a member whom it concerns refused, or if a member
        was asked about the same already. Raises DatabaseError.
        """
        now, place = self._clock.now(), occasion.place
        count = spoken_today(place, now, occasion.settings.zone) + 1
        if remark.loop is not None:
            members.lock(connection, remark.loop.member)
        people = {*remark.about_ids, *remark.named_ids} - {SERVER_USER_ID}
        if place.looked_at is None or _unwilling(connection, place.guild_id, people):
            return False
        if not speaking_places.note_spoken(connection, place, place.looked_at, now, count):
            return False
        raised = [] if remark.loop is None else [remark.loop.id]
        return open_loops.set_state(connection, raised, LoopState.RAISED) == len(raised)

    @reads
    def _turns(self, connection: Connection, occasion: Occasion) -> list[Event]:
        """Return the channel's last turns of members who may be taken up, and Kith's."""
        place, now = occasion.place, self._clock.now()
        turns = last_turns(connection, place.guild_id, place.channel_id, 0, now)
        turns = told_openly(allowed_turns(connection, turns))
        authors = {user_id for turn in turns for user_id in _involved_ids(turn)}
        refused = members.refuse_first_words(connection, place.guild_id, authors)
        return [
            turn
            for turn in turns
            if not refused & _involved_ids(turn) and now - turn.created_at <= MAX_TURN_AGE
        ]

    def _in_words(self, occasion: Occasion, loop: OpenLoop, name: str) -> str:
        now = self._clock.now()
        age = age_in_words(min(loop.created_at, now), now, occasion.settings.zone)
        return f"{safe_name(name)}: {safe_line(loop.text)} ({OPEN_WORDS[loop.kind]}, {age})"

    async def _choose(
        self,
        model: LanguageModel,
        occasion: Occasion,
        turns: list[Event],
        subjects: list[str],
    ) -> int:
        """Ask the triage model for the number of a subject; 0 is silence."""
        zone = occasion.settings.zone
        lines = ["LAST LINES"]
        for turn in turns:
            speaker = "KITH" if turn.role is Role.KITH else safe_name(turn.author_name)
            at = f"{turn.created_at.astimezone(zone):%Y-%m-%d %H:%M}"
            lines.append(f"[{at}] {speaker}: {clip(safe_line(turn.text), TEXT_LIMIT)}")
        lines += ["SUBJECTS", *(f"{number}. {text}" for number, text in enumerate(subjects, 1))]
        instructions = prompts.load("speak_judge").fill(
            now=f"{self._clock.now().astimezone(zone):%A, %d %B %Y, %H:%M}", time_zone=zone.key
        )
        messages = [ChatMessage("system", instructions), ChatMessage("user", "\n".join(lines))]
        answer = await self._budget.ask(
            occasion.server, PURPOSE, messages, JUDGE_TOKENS, model.call_tool, tool=CHOOSE
        )
        number = str(answer.arguments.get("subject")).strip(" []#:.")
        return int(number) if number.isdecimal() else 0

    async def _write(
        self,
        model: LanguageModel,
        occasion: Occasion,
        turns: list[Event],
        recall: Recall,
        subject: str,
    ) -> str | None:
        """Ask the chat model for the text; None if it may not be sent."""
        settings, channel_id = occasion.settings, occasion.place.channel_id
        instructions = prompt_messages.instructions(
            settings,
            prompt_messages.without_teasing(prompt_messages.active_manner(settings, channel_id)),
            self._clock.now(),
            age_restricted=occasion.age_restricted,
            is_kind=True,
        )
        earlier = prompt_messages.earlier_messages(turns, HISTORY_TOKENS)
        background = prompt_messages.without_tags(
            "\n".join(filter(None, (recall.now, recall.block)))
        )
        last = f"<background>\n{background}\n</background>\n" if background else ""
        messages = [
            ChatMessage("system", f"{instructions}\n\n{prompts.load('speak_first').text}"),
            *(message for _, message in earlier),
            ChatMessage("user", f"{last}(Nobody has written since. Bring up: {subject})"),
        ]
        completion = await self._budget.ask(
            occasion.server,
            PURPOSE,
            messages,
            ANSWER_TOKENS,
            model.reply,
            prefer=settings.models_in(channel_id),
        )
        text = without_markers(clean(completion.text)).strip()
        if not text:
            return None
        if output_filter.fault(text, age_restricted=occasion.age_restricted) is not None:
            self._budget.count_unfit(occasion.server)
            return None
        return clip(shown(text, LinkMode.NONE), TEXT_LIMIT, at_word=True)


def _unwilling(connection: Connection, guild_id: int, user_ids: set[int]) -> set[int]:
    """Return those of some members to or about whom Kith must not speak first."""
    refused = members.refuse_first_words(connection, guild_id, user_ids)
    return {
        user_id
        for user_id in user_ids
        if user_id in refused
        or members.effective_consent(connection, Member(guild_id, user_id)) is Consent.OFF
    }


def _involved_ids(turn: Event) -> frozenset[int]:
    return turn.repeated_ids | ({turn.author_id} if turn.role is Role.MEMBER else frozenset())
