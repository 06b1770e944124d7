"""Going through an archive that was found sound: what of it is new here, and taking that in.

Member by member, in small units of work between which others have their turn.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby, islice
from typing import TypeAlias

from utils import prompts
from utils.archive_files import Manifest, Source
from utils.clock import Clock
from utils.database import arrivals, members, memories, watching
from utils.database.archives import Line
from utils.database.engine import Database, Session
from utils.memory import arriving, forms, letting_go, profile
from utils.memory.arriving import KNOWN, Leave, Rules
from utils.model.memory import SERVER_ITSELF, Consent, Member

SERVERS, MEMBERS, STONES = "servers.jsonl", "members.jsonl", "tombstones.jsonl"
MESSAGES, MEMORIES, LOOPS = "messages.jsonl", "memories.jsonl", "open.jsonl"
UNIT, MEMORIES_IN_UNIT = 100, 25  # a memory takes about 3 ms, during which nobody else writes
MOST_OF_A_MEMBER = 20_000
PAUSE_EVERY, PAUSE_S = 500, 0.01
MOST_BYTES_OF_A_MEMBER = 64 << 20
NO_MODE = "it names a mode that is neither among its personas nor one of mine"
NO_VERSION = "'policy_version' must be 0 or that of one of its policies"
TOO_MANY = "there is more of this member than anybody has"


@dataclass(slots=True)
class Arrived:
    """What an import came to, or would: new lines by file, and those left out by file and why."""

    manifest: Manifest
    new: Counter[str] = field(default_factory=Counter)
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class _Step:
    """What a unit of work came to; ``is_done`` False: there is more of the same to do."""

    new: int
    left_out: Counter[str] = field(default_factory=Counter)
    is_done: bool = True


Unit: TypeAlias = Callable[[Session, Member, list[Line]], _Step]


class Arrival:
    """One going through; ``writes`` False: only to say what it would come to."""

    def __init__(
        self, database: Database, clock: Clock, source: Source, rules: Rules, *, writes: bool
    ) -> None:
        self._database = database
        self._clock = clock
        self._source = source
        self._rules = rules
        self._writes = writes
        self._chosen: dict[Member, Consent] = {}
        self._unpaused = 0

    async def run(self) -> Arrived:
        """Go through its files, those first on which others rest."""
        found = Arrived(self._source.manifest)
        for name, unit, most in (
            (SERVERS, self._server, 1),
            (MEMBERS, self._member, 1),
            (STONES, self._stones, UNIT),
            (MESSAGES, self._messages, UNIT),
            (MEMORIES, self._memories, MOST_OF_A_MEMBER),
            (LOOPS, self._loops, UNIT),
        ):
            await self._each(name, unit, most, found)
        if self._writes:  # last: it names memories
            await self._each(MEMBERS, self._profile, 1, Arrived(self._source.manifest))
        return found

    async def _each(
        self,
        name: str,
        unit: Unit,
        most: int,
        found: Arrived,
    ) -> None:
        """Run a unit of work on each member's lines, and again while there is more to do."""
        groups = _groups(self._source, name, most)
        run = self._database.write if self._writes else self._database.read
        while (group := await asyncio.to_thread(next, groups, None)) is not None:
            member, lines = group
            if name == MEMBERS and lines[0]["consent"] is not None:
                self._chosen[member] = lines[0]["consent"]
            step = await run(partial(_run, unit, member, lines))
            for reason, count in step.left_out.items():
                found.left_out[name, reason] += count
            found.new[name] += step.new
            while self._writes and not step.is_done:
                await self._pause(MEMORIES_IN_UNIT)
                step = await run(partial(_run, unit, member, lines))
                found.new[name] += step.new
            self._rules.judged.clear()
            await self._pause(len(lines))

    async def _pause(self, lines: int) -> None:
        """Let replies and extraction have their turn, now and then."""
        self._unpaused += lines
        if self._writes and self._unpaused >= PAUSE_EVERY:
            self._unpaused = 0
            await self._clock.sleep(PAUSE_S)

    # --- units of work -------------------------------------------------------------------------

    def _leave(self, session: Session, member: Member) -> Leave:
        if self._writes:
            members.lock(session, member)
        return arriving.leave_of(session, member, self._chosen.get(member), self._rules)

    def _server(self, session: Session, member: Member, lines: list[Line]) -> _Step:
        if arrivals.is_known_server(session, member.guild_id):
            return _Step(0, Counter([KNOWN]))
        if self._writes:
            arrivals.add_server(session, lines[0])
        return _Step(1)

    def _member(self, session: Session, member: Member, lines: list[Line]) -> _Step:
        """Take in what a member chose. Where nothing of theirs may be stored, only what lets less
        be stored."""
        (line,) = lines
        leave = self._leave(session, member)
        chosen = self._chosen.get(member) if leave.chosen_holds else None
        deeds = [one for one in line["audit"] if not leave.is_erased(one["at"])]
        is_new = arrivals.choices_of(session, member) is None
        if leave.reason:
            deeds, line = [], {**line, "seen_at": None}
            chosen = chosen if chosen is Consent.OFF else None
        if self._writes:
            is_new = arrivals.add_choices(session, member, {**line, "consent": chosen})
            arrivals.add_deeds(session, member, deeds)
            self._obey(session, member, chosen if is_new else None, line["refuses_overhearing"])
        return _Step(1) if is_new else _Step(0, Counter([KNOWN]))

    def _obey(
        self, session: Session, member: Member, chosen: Consent | None, refuses: bool
    ) -> None:
        """Let what is stored here obey a choice that lets less be stored, as if it was made now."""
        less = chosen if chosen in (Consent.OFF, Consent.TEMPORARY) else None
        refuses = refuses and not watching.refused(session, member)
        if less is not None or refuses:
            letting_go.choose(
                session,
                member,
                less,
                passive=False if refuses else None,
                write_policy=self._rules.write_policy,
                now=self._clock.now(),
            )

    def _stones(self, session: Session, member: Member, lines: list[Line]) -> _Step:
        leave = self._leave(session, member)
        if leave.reason:  # nothing of theirs is kept, so nothing needs to be kept out
            return _Step(0, Counter({leave.reason: len(lines)}))
        new = arrivals.add_tombstones(session, member, lines, writes=self._writes)
        return _Step(new, Counter({KNOWN: len(lines) - new}))

    def _messages(self, session: Session, member: Member, lines: list[Line]) -> _Step:
        leave = self._leave(session, member)
        judged = arriving.judge_messages(session, member, lines, leave, self._rules)
        taken = [(arriving.event_of(line), end, line) for line, why, end in judged if why is None]
        if self._writes:
            arrivals.add_messages(
                session, [(event, end, line["overheard"]) for event, end, line in taken]
            )
        return _Step(len(taken), Counter(why for _, why, _ in judged if why is not None))

    def _memories(self, session: Session, member: Member, lines: list[Line]) -> _Step:
        leave = self._leave(session, member)
        if not self._writes:
            judged = arriving.judge_memories(session, member, lines, leave, self._rules)
            new, total = sum(one.reason is None for one in judged), 0
        else:
            judged, new = arriving.take_in_memories(
                session, member, lines, leave, self._rules, MEMORIES_IN_UNIT
            )
            total = sum(one.reason is None for one in judged)
        left_out = Counter(one.reason for one in judged if one.reason is not None)
        return _Step(new, left_out, is_done=new >= total)

    def _loops(self, session: Session, member: Member, lines: list[Line]) -> _Step:
        leave = self._leave(session, member)
        judged = arriving.judge_loops(session, member, lines, leave, self._rules)
        taken = [(line, end) for line, why, end in judged if why is None]
        new = arrivals.add_loops(session, member, taken, writes=self._writes)
        left_out = Counter(why for _, why, _ in judged if why is not None)
        left_out[KNOWN] += len(taken) - new
        return _Step(new, +left_out)

    def _profile(self, session: Session, member: Member, lines: list[Line]) -> _Step:
        """Write a member's paragraph anew of the rows that it was made of, where there is none; the
        archive's own words only if those rows cover them."""
        (line,) = lines
        leave = self._leave(session, member)
        stored = members.standing(session, member).profile
        if leave.reason or stored.row_ids or not line["profile_rows"]:
            return _Step(0)
        named = set(line["profile_rows"])
        current = memories.load_current(session, member, self._rules.now)
        rows = [row for row in current if row.uid in named]
        is_whole = len(rows) == len(named)
        accepted = profile.accept(line["profile"], rows) if is_whole else None
        members.save_profile(session, member, accepted or profile.render(rows))
        return _Step(1)


class Check:
    """Reads an archive's lines, and sees that no member has more than fits into memory."""

    def __init__(self) -> None:
        self._whose: Member | None = None
        self._lines = self._bytes = 0

    def __call__(self, name: str, line: bytes) -> None:
        """Read a line. Raises Wrong, which says what is wrong with it."""
        values = forms.read_line(name, line)
        if name == SERVERS:
            _refuse_unholdable(values)
        if name != MEMORIES:
            return
        whose = Member(values["server"], values["member"])
        if whose != self._whose:
            self._whose, self._lines, self._bytes = whose, 0, 0
        self._lines += 1
        self._bytes += len(line)
        if self._lines > MOST_OF_A_MEMBER or self._bytes > MOST_BYTES_OF_A_MEMBER:
            raise forms.Wrong(TOO_MANY)


def _refuse_unholdable(server: Line) -> None:
    """Raise Wrong where a server's line names a mode or a policy that there is not."""
    modes = {*prompts.modes(), *(one["name"] for one in server["personas"])}
    chosen = [server["mode"], *(one["mode"] for one in server["channel_modes"])]
    if not modes.issuperset(chosen):
        raise forms.Wrong(NO_MODE)
    if server["policy_version"] not in (0, *(one["version"] for one in server["policies"])):
        raise forms.Wrong(NO_VERSION)


def _run(unit: Unit, member: Member, lines: list[Line], session: Session) -> _Step:
    return unit(session, member, lines)


def _groups(source: Source, name: str, most: int) -> Iterator[tuple[Member, list[Line]]]:
    """Yield the lines of a file that are of one member and stand together, at most so many."""
    lines = (forms.read_line(name, line) for _, line in source.lines(name))

    def whose(line: Line) -> Member:
        return Member(line["server"], line.get("member", SERVER_ITSELF))

    for member, theirs in groupby(lines, whose):
        while some := list(islice(theirs, most)):
            yield member, some
