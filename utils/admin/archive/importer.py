"""Read an archive strictly, and store what is new here, one member at a time.

The units of work are small, so that replies and extraction can write in between.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby, islice
from typing import Any, TypeAlias

from utils.admin.archive import import_memories, import_rules
from utils.admin.archive.files import BAD_LINE, ROWS, ArchiveReader
from utils.admin.archive.import_rules import ERASED, KNOWN, ConsentGate, ImportRules
from utils.common.clock import Clock
from utils.common.errors import BadInput
from utils.common.progress import Progress
from utils.database.admin import archive_import
from utils.database.admin.archive_rows import ARCHIVED, PARTS, InvalidRow, Row, read_line
from utils.database.admin.history_import import LIMITS
from utils.database.core.engine import Connection, Database
from utils.database.core.queries import BEFORE_ALL_MEMBERS
from utils.database.erasure.inventory import Part
from utils.database.memories import members, memories
from utils.database.memories.audit import NO_TEXT
from utils.database.sentiment import watched_channels
from utils.llm import prompts
from utils.memory.consolidation import profile
from utils.memory.privacy import erasure
from utils.models.memory import SERVER_USER_ID, Consent, Member

BATCH, MEMORY_BATCH = 100, 250  # a batch takes about 0.2 s, during which nobody else can write
MAX_BYTES = 64 << 20  # of what is read of a member at once
MAX_UNITS = 20  # for the memories of one member
PAUSE_EVERY, PAUSE_S = 500, 0.01
MAIN_TABLES = {
    Part.SERVER: "GuildSettings",
    Part.CHOICES: "UserState",
    Part.MESSAGES: "MemoryEvent",
    Part.MEMORIES: "UserMemory",
    Part.LOOPS: "OpenLoop",
    Part.TOMBSTONES: "Tombstone",
}
"""The tables whose rows are counted; those of the other tables belong to them."""

NamedRow: TypeAlias = tuple[str, Row]
"""A row with the name of its table."""

Reasons: TypeAlias = Counter[str | None]
"""How many rows a unit of work left out for which reason; None: they are stored."""


@dataclass(slots=True)
class ImportResult:
    """What an import stored, or would store: new rows by table, and those left out by table and
    reason. Rows that belong to others are not counted."""

    new: Counter[str] = field(default_factory=Counter)
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)


# --- reading ------------------------------------------------------------------------------------


def read_rows(archive: ArchiveReader) -> Iterator[tuple[Member, Part, NamedRow]]:
    """Yield the rows of an archive with their member, who is user 0 for those of a server.

    Raises BadInput for the first row that is not right, or refers to none above.
    """
    member, size = BEFORE_ALL_MEMBERS, 0
    part: Part | None = None
    names: set[str | int] = set()
    for number, line in archive.lines():
        try:
            table, row = read_line(line)
            user_id = SERVER_USER_ID
            if table in ("MemoryEvidence", "MemoryContext"):  # of the memory above
                user_id = member.user_id
            elif PARTS[table] is not Part.SERVER:
                user_id = row[ARCHIVED[table].member[0]]
            section = (Member(row["GuildId"], user_id), PARTS[table])
            if section != (member, part):
                (member, part), size, names = section, 0, {0, *prompts.MODES}
            size += len(line)
            if size > MAX_BYTES and part not in import_rules.DECIDE:
                raise InvalidRow("this member, or server, has more rows than the limit allows")
            for column in ("MemoryId", "Mode", "PolicyVersion"):
                if row.get(column) is not None and row[column] not in names:
                    raise InvalidRow(
                        f"{table}: {column!r} must name a row above of the same server or member"
                    )
            names |= {row[column] for column in ("Uid", "Name", "Version") if column in row}
        except InvalidRow as error:
            raise BadInput(BAD_LINE, file=ROWS, line=number, why=str(error)) from None
        yield *section, (table, row)


def _batches(
    rows: Iterator[tuple[Member, Part, NamedRow]], tellers: dict[int, Member | None]
) -> Iterator[tuple[Member, Part, list[NamedRow]]]:
    """Yield the rows that stand together of a member and a part, at most BATCH of those that do
    not depend on each other.

    A server's memories come after its members' messages, which say who told them; until then
    ``tellers`` has their messages as the server's own.
    """
    of_server: list[tuple[Member, Part, list[NamedRow]]] = []
    for (member, part), group in groupby(rows, lambda row: row[:2]):
        while of_server and (
            part is Part.TOMBSTONES or of_server[0][0].guild_id != member.guild_id
        ):
            yield of_server.pop(0)
        while batch := [
            row for *_, row in islice(group, BATCH if part in import_rules.DECIDE else None)
        ]:
            if part is Part.MEMORIES and member.user_id == SERVER_USER_ID:
                of_server.append((member, part, batch))
                tellers |= dict.fromkeys(
                    (row["MessageId"] for table, row in batch if table == "MemoryEvidence"),
                    member,
                )
            else:
                yield member, part, batch
    yield from of_server


# --- storing ------------------------------------------------------------------------------------


@dataclass(slots=True)
class ArchiveImporter:
    """One import; ``writes`` False: it only counts what an import would store."""

    database: Database
    clock: Clock
    archive: ArchiveReader
    rules: ImportRules
    progress: Progress
    writes: bool
    _archived_consent: dict[Member, Consent] = field(default_factory=dict)
    _state: dict[Member, Row] = field(default_factory=dict)
    """The UserState of the member whose other rows come next."""
    _tellers: dict[int, Member | None] = field(default_factory=dict)
    """The author of each message that told a server something; the server itself: unknown.

    None: nothing of the message, or of its author, is stored here.
    """
    _erased: set[int] = field(default_factory=set)
    """The archive's messages that were erased or edited here. Kith may have seen the edit after
    the archive was made, and the archive that brought it has only the time of the edit."""

    async def run(self) -> ImportResult:
        """Import the rows of the archive in their order."""
        result, count, since_pause = ImportResult(), 0, 0
        batches = _batches(read_rows(self.archive), self._tellers)
        run = self.database.write if self.writes else self.database.read
        while (batch := await asyncio.to_thread(next, batches, None)) is not None:
            member, part, rows = batch
            table, is_done, is_first = MAIN_TABLES[part], False, True
            while not is_done:
                counts, is_done = await run(self._import_part, member, part, rows)
                result.new[table] += counts[None]
                for reason, number in counts.items():
                    if is_first and reason is not None:  # later what was stored is known
                        result.left_out[table, reason] += number
                is_done, is_first = is_done or not self.writes, False
                since_pause += min(len(rows), MEMORY_BATCH)
                if self.writes and since_pause >= PAUSE_EVERY:  # replies and extraction run then
                    since_pause = 0
                    await self.clock.sleep(PAUSE_S)
            self.rules.refusals.clear()
            count += len(rows)
            self.progress.reach(count)
        return result

    # --- units of work --------------------------------------------------------------------------

    def _import_part(
        self, connection: Connection, member: Member, part: Part, rows: list[NamedRow]
    ) -> tuple[Reasons, bool]:
        """Import rows; False: the unit of work must run again for the rest of them."""
        if part is Part.SERVER:
            return self._import_server(connection, member, rows), True
        state = archive_import.load_state(connection, member)  # locking adds a missing row
        is_of_server = part is Part.MEMORIES and member.user_id == SERVER_USER_ID
        tellers = {
            teller
            for teller in self._tellers.values()
            if is_of_server and teller is not None and teller.guild_id == member.guild_id
        }
        if self.writes:
            teller_ids = [teller.user_id for teller in tellers - {member}]
            members.lock_existing(connection, member.guild_id, teller_ids)
            members.lock(connection, member)
        if part is Part.CHOICES:
            self._state = {member: dict(rows).get("UserState", {})}
            if (consent := self._state[member].get("Consent")) is not None:
                self._archived_consent[member] = consent
        gate = import_rules.load_gate(
            connection,
            member,
            self._archived_consent.get(member),
            self.rules,
            is_ignored=part is not Part.CHOICES
            and self._state.get(member, {}).get("Ignored", False),
        )
        if part is Part.CHOICES:
            return self._import_choices(connection, member, dict(rows), gate, state), True
        if part is Part.MEMORIES:
            gates = {  # as they are now: an opt-out may have come in between
                teller: import_rules.load_gate(
                    connection, teller, self._archived_consent.get(teller), self.rules
                )
                for teller in tellers
            }
            gate = replace(
                gate,
                changed_messages=gate.changed_messages.union(
                    self._erased.intersection(
                        row.get(column)
                        for _, row in rows
                        for column in ("MessageId", "ContextMessageId")
                    )
                ),
                tellers={
                    message_id: gates[teller] if teller in gates else replace(gate, reason=ERASED)
                    for message_id, teller in self._tellers.items()
                    if is_of_server
                },
            )
            return self._import_memories(connection, member, rows, gate)
        decisions = import_rules.DECIDE[part](
            connection, member, [row for _, row in rows], gate, self.rules
        )
        accepted = [row for row, reason in decisions if reason is None]
        if part is Part.MESSAGES:
            self._tellers |= {
                row["MessageId"]: None if gate.reason or reason == ERASED else member
                for row, reason in decisions
                if row["MessageId"] in self._tellers
            }
            self._erased |= {row["MessageId"] for row, reason in decisions if reason == ERASED}
        if self.writes and part is Part.TOMBSTONES:
            archive_import.add_tombstones(connection, accepted)
        elif self.writes:
            if part is Part.MESSAGES:
                accepted = [import_rules.message_row(row) for row in accepted]
            archive_import.add_rows(connection, [(MAIN_TABLES[part], row) for row in accepted])
        return Counter(reason for _, reason in decisions), True

    def _import_server(
        self, connection: Connection, member: Member, rows: list[NamedRow]
    ) -> Reasons:
        if "GuildSettings" not in dict(rows) or archive_import.is_known_server(
            connection, member.guild_id
        ):
            return Counter([KNOWN])
        if self.writes:
            archive_import.add_rows(connection, rows)
        return Counter([None])

    def _import_choices(
        self,
        connection: Connection,
        member: Member,
        rows: dict[str, Row],
        gate: ConsentGate,
        state: Any,
    ) -> Reasons:
        """Store a member's choices. If nothing of them may be stored, only what restricts is.

        A stricter choice is applied to the data stored here, as if the member made it now.
        """
        row = rows.get("UserState")
        if row is None:
            return Counter()
        chosen = row["Consent"] if gate.applies_choices else None
        is_new = state is None or (state.Consent is None and chosen is not None)
        if self.writes:
            if gate.reason:
                row["LastSeenAt"] = None
                chosen = chosen if chosen is Consent.OFF else None
            if "RoastRefusal" in rows:
                archive_import.add_rows(connection, [("RoastRefusal", rows["RoastRefusal"])])
            is_choice_new = archive_import.add_choices(connection, member, row, chosen)
            stricter = chosen if is_choice_new and chosen is not Consent.LASTING else None
            refuses = "PassiveRefusal" in rows and not watched_channels.has_opted_out(
                connection, member
            )
            if stricter is not None or refuses:
                erasure.set_consent(
                    connection,
                    member,
                    stricter,
                    passive=False if refuses else None,
                    write_policy=self.rules.write_policy,
                    now=self.clock.now(),
                )
        return Counter([None if is_new else KNOWN])

    def _import_memories(
        self, connection: Connection, member: Member, rows: list[NamedRow], gate: ConsentGate
    ) -> tuple[Reasons, bool]:
        archived = archive_import.memories_from(rows)
        decisions = import_memories.decide_memories(connection, member, archived, gate, self.rules)
        counts = Counter(decision.reason for decision in decisions)
        # Each unit of work decides about all memories anew, so many memories need larger ones.
        limit = max(MEMORY_BATCH, len(archived) // MAX_UNITS)
        is_done = counts[None] <= limit
        if self.writes:
            counts[None] = min(counts[None], limit)
            import_memories.import_memories(connection, member, decisions, self.rules, limit)
        if self.writes and is_done:
            if not gate.reason:
                self._import_profile(connection, member)
            archive_import.add_audit(
                connection,
                member,
                [  # the bare facts that limit later imports of history, and what else may be kept
                    row | NO_TEXT if row["Action"] in LIMITS else row
                    for table, row in rows
                    if (table == "MemoryAudit" and row["MemoryId"] is None)
                    and (row["Action"] in LIMITS or not (gate.reason or gate.is_erased(row["At"])))
                ],
            )
        return +counts, is_done

    def _import_profile(self, connection: Connection, member: Member) -> None:
        """Write a member's profile if they have none: the archive's paragraph if all memories it
        was made from are here, else one rendered from those that are."""
        state = self._state.get(member, {})
        uids = set(state.get("NotesRowIds", ()))
        if not uids or members.load_header(connection, member).profile.row_ids:
            return
        current = memories.load_current(connection, member, self.rules.now)
        rows = [row for row in current if row.uid in uids]
        accepted = profile.accept(state["UserNotes"], rows, ()) if len(rows) == len(uids) else None
        members.save_profile(connection, member, accepted or profile.render(rows))
