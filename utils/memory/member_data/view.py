"""Read what is stored about a member: their memories, why each is stored, and everything."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, tzinfo

from utils.common.grouping import grouped
from utils.database.core.engine import Connection, Database, DatabaseService, as_method, reads
from utils.database.core.queries import run
from utils.database.erasure import consent as member_consent
from utils.database.erasure import lore
from utils.database.guilds import account_links
from utils.database.memories import (
    answer_origins,
    audit,
    members,
    memories,
    memory_history,
    note_marks,
)
from utils.database.messages import (
    answer_sources,
    attachment_texts,
    events,
    open_loops,
    said,
    stored_messages,
    summaries,
)
from utils.memory.consolidation import profile
from utils.memory.member_data import export as export_files
from utils.models.episode import LoopState
from utils.models.memory import SERVER_USER_ID, Consent, Event, Evidence, Member, Memory
from utils.models.provenance import AnswerOrigin, SourceRef
from utils.models.recall import MemberMessage, MemberView, MessageCount
from utils.models.transfer import ExportFiles, MemberExport, MemoryDetail

MAX_VIEWS = 3
MAX_MESSAGES = 100


class MemberData(DatabaseService):
    """Reads what is stored of a member: their memories, the reasons for each, and an export."""

    async def show(
        self,
        member: Member,
        sources: frozenset[int] | None = None,
        linked_sources: frozenset[int] = frozenset(),
        *,
        for_others: bool = False,
    ) -> MemberView:
        """Return everything stored of a member in a server, newest first.

        Args:
            sources: the channels that the viewer can read, None for the member's own view.
            linked_sources: the channels that the member can read, if they look themselves: what
                their linked account said there is part of their view.
            for_others: the viewer is not the member, so what they told in confidence is left out.
        """
        return await self._database.read(
            shown,
            for_others=for_others,
            member=member,
            sources=sources,
            linked_sources=linked_sources,
            now=self._clock.now(),
        )

    @reads
    def why(self, connection: Connection, member: Member, memory_id: int) -> MemoryDetail | None:
        """Return what a memory rests on and its past, also for superseded memories.

        None if the memory is not the member's.
        """
        now = self._clock.now()
        past = memories.load_past(connection, member, now)
        rows = {row.id: row for row in (*past, *memories.load_current(connection, member, now))}
        if memory_id not in rows:
            return None
        evidence = memory_history.load_evidence(connection, [memory_id])
        predecessors: list[Memory] = []
        successor_ids = {memory_id}
        while successor_ids:
            replaced = [
                row
                for row in past
                if row.superseded_by in successor_ids and row not in predecessors
            ]
            predecessors += sorted(replaced, key=lambda row: row.id, reverse=True)
            successor_ids = {row.id for row in replaced}
        return MemoryDetail(
            rows[memory_id],
            evidence.get(memory_id, ()),
            past=tuple(predecessors),
            successor=rows.get(rows[memory_id].superseded_by or 0),
        )

    async def last_said(
        self, memory_ids: Sequence[int], sources: frozenset[int]
    ) -> dict[int, Evidence]:
        """Return the newest sentence that each memory rests on, of those said in ``sources``."""
        if not memory_ids:
            return {}
        evidence = await self._database.read(memory_history.load_evidence, row_ids=memory_ids)
        readable = {
            memory_id: [sentence for sentence in sentences if sentence.channel_id in sources]
            for memory_id, sentences in evidence.items()
        }
        return {
            memory_id: max(sentences, key=lambda sentence: sentence.said_at)
            for memory_id, sentences in readable.items()
            if sentences
        }

    @reads
    def messages(
        self,
        connection: Connection,
        member: Member,
        linked_sources: frozenset[int] = frozenset(),
        *,
        for_others: bool = False,
    ) -> list[MemberMessage]:
        """Return a member's newest stored messages with the memories of each, at most 100.

        ``linked_sources`` and ``for_others`` are as in :meth:`show`.
        """
        now = self._clock.now()
        messages: list[MemberMessage] = []
        for account, sources in accounts(connection, member, None, linked_sources):
            current = {row.id for row in memories.load_current(connection, account, now)}
            behind = run(connection, said.source_messages(account))
            memory_ids = grouped(
                (message_id, memory_id)
                for memory_id, message_ids in behind.items()
                for message_id in message_ids
                if memory_id in current
            )
            messages += (
                replace(stored, memory_ids=memory_ids[stored.message_id])
                for stored in stored_messages.load_newest(
                    connection,
                    account,
                    now,
                    MAX_MESSAGES,
                    sources=sources,
                    for_others=for_others,
                )
            )
        return sorted(messages, key=lambda stored: stored.id, reverse=True)[:MAX_MESSAGES]

    @reads
    def message(
        self, connection: Connection, member: Member, event_id: int
    ) -> tuple[MemberMessage, list[Memory]] | None:
        """Return a stored message and the memories that rest on it, newest first.

        None if it is not theirs.
        """
        now = self._clock.now()
        stored = stored_messages.find(connection, member, event_id, now)
        if stored is None:
            return None
        rows: list[Memory] = []
        for owner in (Member(member.guild_id, SERVER_USER_ID), member):  # lore rests on it too
            behind = run(connection, said.source_messages(owner))
            current = memories.load_current(connection, owner, now)
            rows += [row for row in current if stored.message_id in behind.get(row.id, ())]
        return stored, rows[::-1]

    async def noted(self, member: Member, message_id: int) -> list[MemoryDetail]:
        """Return what of a member was noted of a message, or of those that it answers."""
        return await self._database.read(
            noted, member=member, message_id=message_id, now=self._clock.now()
        )

    used_in = as_method(Database.read, answer_sources.used_in)
    origins = as_method(Database.read, answer_origins.of_answer)

    async def origins_of_new(
        self, asked: Event, text: str, refs: Sequence[SourceRef], sources: frozenset[int]
    ) -> list[AnswerOrigin]:
        """Return where an answer to a message comes from, for all who read it."""
        return await self._database.read(
            answer_origins.load,
            guild_id=asked.guild_id,
            refs=refs,
            text=text,
            reader_id=0,
            sources=sources,
            asked_ids=[asked.message_id],
        )

    async def export(
        self,
        member: Member,
        zone: tzinfo,
        earlier: ExportFiles | None = None,
        *,
        links: bool = True,
    ) -> ExportFiles:
        """Return everything stored of a member as files, with times in ``zone``.

        Args:
            earlier: an earlier export, checked just before it is handed out. It is returned itself
                unless the member's data has changed since; then something may have been erased.
            links: whether the text links to messages on Discord.
        """
        if earlier is not None:
            header = await self._database.read(members.load_header, member=member)
            if (earlier.member, earlier.version) == (member, header.version):
                return earlier
        loaded = await self._database.read(export, member=member, now=self._clock.now())
        return await asyncio.to_thread(export_files.as_files, loaded, zone, links=links)

    places = as_method(Database.read, members.guilds_of)
    asked_by = as_method(Database.read, events.author_of_prompt)
    answer_parts = as_method(Database.read, events.answer_parts)


def shown(
    connection: Connection,
    member: Member,
    sources: frozenset[int] | None,
    now: datetime,
    linked_sources: frozenset[int] = frozenset(),
    *,
    for_others: bool = False,
) -> MemberView:
    """Return a member's memories, newest first, as far as readers of ``sources`` may see them.

    With ``linked_sources``, what recall may use of their linked account is among them. With
    ``for_others``, what they told in confidence is not.
    """
    header = members.load_header(connection, member)
    current = memories.load_current(connection, member, now, for_others=for_others)
    past = memories.load_past(connection, member, now, for_others=for_others)
    rows = [row for row in current if sources is None or row.channel_id in sources]
    live = [row for row in rows if row.is_live(now)]
    if header.linked_id is not None and linked_sources:
        linked = Member(member.guild_id, header.linked_id)
        if members.consent(connection, linked) is Consent.OFF:
            linked_rows = []
        else:
            linked_rows = [
                row
                for row in memories.load_current(connection, linked, now)
                if row.channel_id in linked_sources and row.is_live(now)
            ]
        rows = sorted([*rows, *linked_rows], key=lambda row: row.id)
    # The server's stories and facts that rest on the member's words.
    told_ids = set(lore.of_member(connection, member)) if sources is None else set()
    server = Member(member.guild_id, SERVER_USER_ID)
    of_server = memories.load_current(connection, server, now) if told_ids else ()
    return MemberView(
        profile=profile.readable(header.profile, live).text,
        rows=tuple(reversed(rows)),
        consent=members.consent(connection, member),
        choices=member_consent.load_choices(connection, member),
        past={
            row.superseded_by or 0: row
            for row in past
            if sources is None or row.channel_id in sources
        },
        linked_id=header.linked_id,
        views=tuple(audit.load_entries(connection, member, action=audit.VIEWED, limit=MAX_VIEWS)),
        messages=(
            stored_messages.count(connection, member, now) if sources is None else MessageCount()
        ),
        loops=tuple(
            loop
            for loop in (open_loops.load_all(connection, member, now) if sources is None else ())
            if loop.state is LoopState.OPEN
        ),
        told=tuple(row for row in reversed(of_server) if row.id in told_ids),
    )


def accounts(
    connection: Connection,
    member: Member,
    sources: frozenset[int] | None,
    linked_sources: frozenset[int],
) -> list[tuple[Member, frozenset[int] | None]]:
    """Return a member, and their linked account where they may see it, with readable channels.

    None means all channels. ``linked_sources`` are as in :meth:`MemberData.show`.
    """
    readable: list[tuple[Member, frozenset[int] | None]] = [(member, sources)]
    linked = account_links.other_account(connection, member) if linked_sources else None
    if linked is None or members.consent(connection, linked) is Consent.OFF:
        return readable
    return [*readable, (linked, linked_sources)]


def noted(
    connection: Connection, member: Member, message_id: int, now: datetime
) -> list[MemoryDetail]:
    """Return what of a member was noted of a message, or of those that it answers."""
    marked, message_ids = note_marks.noted_by(connection, member.guild_id, message_id)
    behind = run(connection, said.source_messages(member))
    rows = [
        row
        for row in memories.load_current(connection, member, now)
        if row.id in marked or not message_ids.isdisjoint(behind.get(row.id, ()))
    ]
    evidence = memory_history.load_evidence(connection, [row.id for row in rows])
    return [MemoryDetail(row, evidence.get(row.id, ())) for row in rows]


def export(connection: Connection, member: Member, now: datetime) -> MemberExport:
    """Return everything that is stored about a member."""
    header = members.load_header(connection, member)
    past = memories.load_past(connection, member, now)
    current = memories.load_current(connection, member, now)
    rows = sorted([*current, *past], key=lambda row: row.id)
    evidence = memory_history.load_evidence(connection, [row.id for row in rows])
    live = [row for row in current if row.is_live(now)]
    return MemberExport(
        member=member,
        version=header.version,
        made_at=now,
        consent=members.consent(connection, member),
        choices=member_consent.load_choices(connection, member),
        profile=profile.readable(header.profile, live).text,
        rows=tuple(MemoryDetail(row, evidence.get(row.id, ())) for row in rows),
        events=tuple(memory_history.load_own_messages(connection, member, now)),
        audit=tuple(reversed(audit.load_entries(connection, member))),
        link=account_links.load_claim(connection, member),
        attachments=tuple(attachment_texts.load_of_member(connection, member, now)),
        loops=tuple(open_loops.load_all(connection, member, now)),
        summary_count=summaries.count_of_member(connection, member, now),
    )
