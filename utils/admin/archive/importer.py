"""Import a verified archive: store what is new here, one member at a time.

The units of work are small, so that replies and extraction can write in between.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import Any, TypeAlias

from utils.admin.archive import import_memories, import_rules
from utils.admin.archive.files import ArchiveReader, Manifest
from utils.admin.archive.import_rules import KNOWN, ConsentGate, ImportRules
from utils.common.clock import Clock
from utils.common.progress import Progress
from utils.database.admin import archive_import
from utils.database.admin.archive_records import (
    FILE_NAMES,
    RECORD_TYPES,
    ArchiveRecord,
    InvalidRecord,
    LoopRecord,
    MemberRecord,
    MemoryRecord,
    MessageRecord,
    ServerRecord,
    TombstoneRecord,
    read_line,
)
from utils.database.core.engine import Connection, Database
from utils.database.memories import members, memories
from utils.database.sentiment import watched_channels
from utils.llm import prompts
from utils.memory.consolidation import profile
from utils.memory.privacy import erasure
from utils.models.memory import SERVER_USER_ID, Consent, Member

BATCH, MEMORY_BATCH = 100, 250  # a batch takes about 0.2 s, during which nobody else can write
MAX_PER_MEMBER = 20_000
MAX_UNITS = 20  # for the memories of one member
PAUSE_EVERY, PAUSE_S = 500, 0.01
MAX_BYTES_PER_MEMBER = 64 << 20
NO_MODE = "it names a mode that is neither among its personas nor one of mine"
NO_VERSION = "'policy_version' must be 0 or that of one of its policies"
TOO_MANY = "this member has more memories than the limit allows"


@dataclass(slots=True)
class ImportResult:
    """What an import stored, or would store: new records by file, and those left out by file and
    reason."""

    manifest: Manifest
    new: Counter[str] = field(default_factory=Counter)
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class _BatchResult:
    """What a unit of work did; ``is_done`` False: it must run again."""

    new: int
    left_out: Counter[str] = field(default_factory=Counter)
    is_done: bool = True


UnitOfWork: TypeAlias = Callable[[Connection, Member, list[Any]], _BatchResult]


class ArchiveImporter:
    """One import; ``writes`` False: it only counts what an import would store."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        archive: ArchiveReader,
        rules: ImportRules,
        progress: Progress,
        *,
        writes: bool,
    ) -> None:
        self._progress = progress
        self._lines = 0
        self._database = database
        self._clock = clock
        self._archive = archive
        self._rules = rules
        self._writes = writes
        self._archived_consent: dict[Member, Consent] = {}
        self._since_pause = 0

    async def run(self) -> ImportResult:
        """Import each file of the archive, in the order of their dependencies."""
        result = ImportResult(self._archive.manifest)
        steps: list[tuple[type[ArchiveRecord], UnitOfWork, int]] = [
            (ServerRecord, self._import_server, 1),
            (MemberRecord, self._import_member, 1),
            (MessageRecord, self._import_messages, BATCH),
            (MemoryRecord, self._import_memories, MAX_PER_MEMBER),
            (LoopRecord, self._import_loops, BATCH),
            # Last: a memory may outlive the message that it shared with a forgotten one.
            (TombstoneRecord, self._import_tombstones, BATCH),
        ]
        for record_type, unit, batch in steps:
            await self._import_file(record_type, unit, batch, result)
        if self._writes:  # last, because a profile names memories
            uncounted = ImportResult(self._archive.manifest)
            await self._import_file(MemberRecord, self._import_profile, 1, uncounted)
        return result

    async def _import_file(
        self,
        record_type: type[ArchiveRecord],
        unit: UnitOfWork,
        batch: int,
        result: ImportResult,
    ) -> None:
        """Run a unit of work on each batch of a member's records until it is done."""
        name = FILE_NAMES[record_type]
        batches = _batches(self._archive, record_type, batch)
        run = self._database.write if self._writes else self._database.read
        while (next_batch := await asyncio.to_thread(next, batches, None)) is not None:
            member, records = next_batch
            counts = await run(unit, member, records)
            for reason, count in counts.left_out.items():
                result.left_out[name, reason] += count
            result.new[name] += counts.new
            while self._writes and not counts.is_done:
                await self._pause(MEMORY_BATCH)
                counts = await run(unit, member, records)
                result.new[name] += counts.new
            self._rules.refusals.clear()
            self._lines += len(records)
            self._progress.reach(self._lines)
            await self._pause(len(records))

    async def _pause(self, records: int) -> None:
        """Let replies and extraction run now and then."""
        self._since_pause += records
        if self._writes and self._since_pause >= PAUSE_EVERY:
            self._since_pause = 0
            await self._clock.sleep(PAUSE_S)

    # --- units of work -------------------------------------------------------------------------

    def _gate(self, connection: Connection, member: Member) -> ConsentGate:
        if self._writes:
            members.lock(connection, member)
        archived = self._archived_consent.get(member)
        return import_rules.load_gate(connection, member, archived, self._rules)

    def _import_server(
        self, connection: Connection, member: Member, records: list[ServerRecord]
    ) -> _BatchResult:
        if archive_import.is_known_server(connection, member.guild_id):
            return _BatchResult(0, Counter([KNOWN]))
        if self._writes:
            archive_import.add_server(connection, records[0])
        return _BatchResult(1)

    def _import_member(
        self, connection: Connection, member: Member, records: list[MemberRecord]
    ) -> _BatchResult:
        """Store a member's choices. If nothing of them may be stored, only a stricter choice is."""
        (record,) = records
        if record.consent is not None:
            self._archived_consent[member] = record.consent
        state = archive_import.load_state(connection, member)  # locking adds a missing row
        gate = self._gate(connection, member)
        chosen = record.consent if gate.applies_choices else None
        audit = [entry for entry in record.audit if not gate.is_erased(entry.at)]
        is_new = state is None or (state.Consent is None and chosen is not None)
        if gate.reason:
            audit, record = [], record.model_copy(update={"seen_at": None})
            chosen = chosen if chosen is Consent.OFF else None
        if self._writes:
            record = record.model_copy(update={"consent": chosen})
            is_choice_new = archive_import.add_choices(connection, record)
            archive_import.add_audit(connection, member, audit)
            consent = chosen if is_choice_new else None
            self._apply_choices(connection, member, consent, record.refuses_overhearing)
        return _BatchResult(1) if is_new else _BatchResult(0, Counter([KNOWN]))

    def _apply_choices(
        self,
        connection: Connection,
        member: Member,
        consent: Consent | None,
        refuses_overhearing: bool,
    ) -> None:
        """Apply a stricter choice to the data stored here, as if the member made it now."""
        stricter = consent if consent in (Consent.OFF, Consent.TEMPORARY) else None
        refuses = refuses_overhearing and not watched_channels.has_opted_out(connection, member)
        if stricter is not None or refuses:
            erasure.set_consent(
                connection,
                member,
                stricter,
                passive=False if refuses else None,
                write_policy=self._rules.write_policy,
                now=self._clock.now(),
            )

    def _import_tombstones(
        self, connection: Connection, member: Member, records: list[TombstoneRecord]
    ) -> _BatchResult:
        gate = self._gate(connection, member)
        if gate.reason:  # nothing of them is stored, so nothing needs a tombstone
            return _BatchResult(0, Counter({gate.reason: len(records)}))
        new = archive_import.add_tombstones(connection, member, records, writes=self._writes)
        return _BatchResult(new, +Counter({KNOWN: len(records) - new}))

    def _import_messages(
        self, connection: Connection, member: Member, records: list[MessageRecord]
    ) -> _BatchResult:
        gate = self._gate(connection, member)
        decisions = import_rules.decide_messages(connection, member, records, gate, self._rules)
        accepted = [
            (import_rules.event_of(record), expires_at, record.overheard)
            for record, reason, expires_at in decisions
            if reason is None
        ]
        if self._writes:
            archive_import.add_messages(connection, accepted)
        left_out = Counter(reason for _, reason, _ in decisions if reason is not None)
        return _BatchResult(len(accepted), left_out)

    def _import_memories(
        self, connection: Connection, member: Member, records: list[MemoryRecord]
    ) -> _BatchResult:
        gate = self._gate(connection, member)
        if self._writes:
            # Each unit of work decides about all records anew, so many records need larger ones.
            limit = max(MEMORY_BATCH, len(records) // MAX_UNITS)
            decisions, new = import_memories.import_memories(
                connection, member, records, gate, self._rules, limit
            )
        else:
            decisions = import_memories.decide_memories(
                connection, member, records, gate, self._rules
            )
            new = sum(decision.reason is None for decision in decisions)
        left_out = Counter(decision.reason for decision in decisions if decision.reason is not None)
        return _BatchResult(new, left_out, is_done=new >= len(decisions) - left_out.total())

    def _import_loops(
        self, connection: Connection, member: Member, records: list[LoopRecord]
    ) -> _BatchResult:
        gate = self._gate(connection, member)
        decisions = import_rules.decide_loops(connection, member, records, gate, self._rules)
        accepted = [
            (record, expires_at) for record, reason, expires_at in decisions if reason is None
        ]
        new = archive_import.add_loops(connection, member, accepted, writes=self._writes)
        left_out = Counter(reason for _, reason, _ in decisions if reason is not None)
        left_out[KNOWN] += len(accepted) - new
        return _BatchResult(new, +left_out)

    def _import_profile(
        self, connection: Connection, member: Member, records: list[MemberRecord]
    ) -> _BatchResult:
        """Write a member's profile if they have none: the archive's paragraph if all memories it
        was made from are here, else one rendered from those that are."""
        (record,) = records
        gate = self._gate(connection, member)
        stored = members.load_header(connection, member).profile
        if gate.reason or stored.row_ids or not record.profile_rows:
            return _BatchResult(0)
        uids = set(record.profile_rows)
        current = memories.load_current(connection, member, self._rules.now)
        rows = [row for row in current if row.uid in uids]
        is_complete = len(rows) == len(uids)
        accepted = profile.accept(record.profile, rows, ()) if is_complete else None
        members.save_profile(connection, member, accepted or profile.render(rows))
        return _BatchResult(1)


class ArchiveChecker:
    """Validates an archive's lines, and that the memories of each member fit into memory."""

    def __init__(self) -> None:
        self._member: Member | None = None
        self._lines = self._bytes = 0

    def __call__(self, name: str, line: bytes) -> None:
        """Validate a line of the file of that name. Raises InvalidRecord."""
        record = read_line(RECORD_TYPES[name], line)
        if isinstance(record, ServerRecord):
            _check_server(record)
        if not isinstance(record, MemoryRecord):
            return
        member = Member(record.server, record.member)
        if member != self._member:
            self._member, self._lines, self._bytes = member, 0, 0
        self._lines += 1
        self._bytes += len(line)
        if self._lines > MAX_PER_MEMBER or self._bytes > MAX_BYTES_PER_MEMBER:
            raise InvalidRecord(TOO_MANY)


def _check_server(server: ServerRecord) -> None:
    """Raise InvalidRecord if a server names a mode or a policy that does not exist."""
    modes = {*prompts.modes(), *(persona.name for persona in server.personas)}
    chosen = [server.mode, *(channel.mode for channel in server.channel_modes)]
    if not modes.issuperset(chosen):
        raise InvalidRecord(NO_MODE)
    if server.policy_version not in (0, *(policy.version for policy in server.policies)):
        raise InvalidRecord(NO_VERSION)


def _batches(
    archive: ArchiveReader, record_type: type[ArchiveRecord], size: int
) -> Iterator[tuple[Member, list[Any]]]:
    """Yield the records of a file that stand together and belong to one member, at most ``size``
    at a time."""
    lines = archive.lines(FILE_NAMES[record_type])
    records: Iterator[Any] = (read_line(record_type, line) for _, line in lines)

    def member_of(record: Any) -> Member:
        return Member(record.server, getattr(record, "member", SERVER_USER_ID))

    for member, group in groupby(records, member_of):
        while batch := list(islice(group, size)):
            yield member, batch
