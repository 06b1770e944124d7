"""The operator's view of memories, messages, members and the audit, and changes of one memory.

Lists come in pages at a bounded cost. Only ``record_view`` records in the audit that the operator
looked; callers call it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import partial
from typing import TypeAlias

from utils.admin import memory_edits
from utils.common.errors import BadInput, Conflict
from utils.common.text import clean, clip, one_line
from utils.database.admin import archive_export, memory_items, records
from utils.database.core.engine import Connection, Database, DatabaseService, as_method, reads
from utils.database.core.queries import BEFORE_ALL_MEMBERS
from utils.database.memories import audit as member_audit
from utils.database.memories import members, memories, memory_history
from utils.guilds.known_members import KnownMembers
from utils.memory.consolidation import profile
from utils.memory.member_data.edit_rules import refusal
from utils.memory.member_data.editor import MemoryEditor
from utils.memory.member_data.search import SearchQuery
from utils.memory.policy.write_policy import WriteRules
from utils.models.admin import (
    KnownMember,
    LinkedEvidence,
    MemoryEdit,
    MemoryFilter,
    MemoryOrder,
    Page,
)
from utils.models.memory import (
    DIRECT_MESSAGES,
    SERVER_USER_ID,
    Member,
    Memory,
    Status,
)
from utils.models.operator import EXPORTED, OPERATOR
from utils.models.policy import REASON_LIMIT
from utils.models.transfer import AuditEntry, MemoryDetail, jump_link

MAX_AUDIT = 200  # entries of one memory
AUDIT_BATCH = 500
MAX_FURTHER_PAGES = 20  # of members among whom a name is looked for, in all servers together
NameOf: TypeAlias = Callable[[int, int], str | None]
"""Returns a person's display name in a server, or None."""


@dataclass(eq=False, repr=False)
class Browser(DatabaseService):
    """Reads memories, messages, members and the audit for the operator, and changes memories.

    ``_rules.read_only`` refuses every change but forgetting.
    """

    _rules: WriteRules
    _editor: MemoryEditor
    _known_members: KnownMembers

    async def items(
        self,
        filters: MemoryFilter,
        cursor: int | None = None,
        limit: int = 50,
        *,
        order: MemoryOrder = MemoryOrder.NEWEST,
        is_descending: bool = True,
    ) -> Page[Memory]:
        """Return memories of any status that match a filter, by default the newest first.

        Raises BadInput for an invalid filter, such as a text without a word.
        """
        filters = replace(filters, topic=clean(filters.topic).lower())  # as it is stored
        query = None
        if filters.text:
            search = SearchQuery.of(filters.text)
            query = memory_items.TextQuery(search.words, search.matches_stems)
        if filters.expiring_before is not None and filters.expiring_before.tzinfo is None:
            raise BadInput("Give the expiry with its time zone, such as 2026-12-24T18:00:00Z.")
        load = partial(memory_items.items, cursor=cursor)
        if order is not MemoryOrder.NEWEST or not is_descending:
            load = partial(
                memory_items.sorted_items,
                order=order,
                is_descending=is_descending,
                offset=cursor or 0,
            )
        return await self._database.read(load, filters=filters, query=query, limit=limit)

    pick = as_method(Database.read, memory_items.pick)

    @reads
    def item(self, connection: Connection, memory_id: int) -> MemoryDetail | None:
        """Return a memory with its evidence, audit and history, or None."""
        memory = memory_items.item(connection, memory_id)
        if memory is None:
            return None
        evidence = memory_history.load_evidence(connection, [memory_id]).get(memory_id, ())
        successor_id = memory.superseded_by
        return MemoryDetail(
            item=memory,
            evidence=tuple(
                LinkedEvidence(
                    **{field.name: getattr(entry, field.name) for field in fields(entry)},
                    link=jump_link(memory.guild_id, entry),
                )
                for entry in evidence
            ),
            audit=tuple(records.audit_of(connection, memory_id, MAX_AUDIT)),
            past=tuple(memory_items.past(connection, memory)),
            successor=(
                None if successor_id is None else memory_items.item(connection, successor_id)
            ),
        )

    events = as_method(Database.read, records.events)

    async def audit(
        self,
        guild_id: int | None = None,
        user_id: int | None = None,
        action: str = "",
        cursor: int | None = None,
        limit: int = 50,
        *,
        without_looks: bool = False,
    ) -> Page[AuditEntry]:
        """Return audit entries, newest first; action "" matches all, or all but looks."""
        action = clean(action)
        if len(action) > records.ACTION_LIMIT:
            return Page()  # no action has such a long name
        return await self._database.read(
            records.audit,
            guild_id=guild_id,
            user_id=user_id,
            action=action,
            cursor=cursor,
            limit=limit,
            without_looks=without_looks,
        )

    async def members(
        self,
        guild_id: int,
        cursor: int | None = None,
        limit: int = 50,
        text: str = "",
        *,
        name_of: NameOf = lambda *_: None,
    ) -> Page[KnownMember]:
        """Return the members that Kith knows in a server by name, those without one last.

        A thousand are sorted at a time, the newest Discord accounts first; the cursor is a place
        in this order. ``text`` is part of a member's name, or their id. ``name_of`` names whom no
        stored message names.
        """
        query = text.strip().casefold()
        window, first = divmod(cursor or 0, records.MEMBERS_AT_ONCE)
        stored_page = await self._database.read(
            records.known_members, guild_id=guild_id, offset=window * records.MEMBERS_AT_ONCE
        )
        named = (
            replace(row, name=row.name or name_of(guild_id, row.user_id) or "")
            for row in stored_page.rows
        )
        matching = sorted(
            (row for row in named if query in row.name.casefold() or query == str(row.user_id)),
            key=lambda row: (not row.name, row.name.casefold(), row.user_id),
        )
        page_rows = matching[first : first + limit]
        counts = await self._database.read(
            records.memory_counts, guild_id=guild_id, user_ids=[row.user_id for row in page_rows]
        )
        return Page(
            tuple(replace(row, rows=counts.get(row.user_id, 0)) for row in page_rows),
            (cursor or 0) + limit if len(matching) > first + limit else stored_page.cursor,
        )

    async def find_members(
        self,
        guild_ids: Sequence[int],
        text: str,
        limit: int,
        *,
        name_of: NameOf,
    ) -> list[KnownMember]:
        """Return known members of these servers with this part of their name, or this id.

        ``name_of`` names whom no stored message names.
        """
        matches: list[KnownMember] = []
        further = MAX_FURTHER_PAGES
        for guild_id in guild_ids:
            cursor: int | None = None
            while len(matches) < limit:
                room = limit - len(matches)
                page = await self.members(guild_id, cursor, room, text, name_of=name_of)
                matches += page.rows
                cursor = page.cursor
                if cursor is None or not further:
                    break
                further -= 1
        return matches

    names = as_method(Database.read, records.names)

    @reads
    def profiles(self, connection: Connection, member: Member) -> list[tuple[datetime, str]]:
        """Return the versions of a member's profile that their stored memories give, newest first;
        see :func:`utils.memory.consolidation.profile.profile_history`."""
        now = self._clock.now()
        current = memories.load_current(connection, member, now, for_others=True)
        past = memories.load_past(connection, member, now, for_others=True)
        return profile.profile_history(current, past)

    async def change(
        self, memory_id: int, change: MemoryEdit, reason: str = "", *, actor_id: int = OPERATOR
    ) -> Memory:
        """Change a memory's text, status, importance or expiry in one unit of work; returns it.

        A new text makes a new memory, which supersedes the old one and keeps its evidence. Making a
        proposed memory active approves it, so it supersedes what it corrects. The next recall in
        every process uses the change. Raises NotFound, BadInput for an invalid value or a text that
        names a member whom the old one does not, and Conflict if the memory is gone or expired, the
        server is frozen, or MEMORY_READ_ONLY is set.
        """
        if self._rules.read_only:
            raise Conflict(
                "MEMORY_READ_ONLY is set: memories cannot be changed now, only forgotten."
            )
        memory = None if change.text is None else await self._load(memory_id)
        if memory is not None and await self._known_members.are_newly_named(
            memory.member, memory.text, change.text or ""
        ):
            raise refusal("names another")
        changed = await self._database.write(
            memory_edits.change,
            memory_id=memory_id,
            edit=change,
            reason=clip(one_line(clean(reason)), REASON_LIMIT),
            rules=self._rules,
            now=self._clock.now(),
            actor_id=actor_id,
        )
        if changed.status is Status.PROPOSED and (change.status or changed.id != memory_id):
            self._editor.signals.propose(changed.guild_id, (changed.id,))
        return changed

    _load = as_method(Database.read, memory_items.item)

    async def forget(self, memory_id: int) -> bool:
        """Erase a memory and its messages, as its member could; False if it does not exist."""
        memory = await self._load(memory_id)
        if memory is None:
            return False
        return await self._editor.forget(memory.member, memory_id, actor_id=OPERATOR)

    async def forget_message(self, member: Member, event_id: int) -> bool:
        """Erase a stored message, as its member could; False if it does not exist."""
        return await self._editor.forget_message(member, event_id, actor_id=OPERATOR)

    async def record_view(self, *members: Member) -> None:
        """Record in these members' audits, which they can see, that the operator looked.

        Looks within half an hour are one visit and one entry. Skips a server's own memories and
        members without stored data.
        """
        now = self._clock.now()
        if await self._database.read(records.unviewed, members=members, now=now):
            await self._database.write(records.record_views, members=members, now=now)

    async def record_operator_action(
        self, action: str, guild_id: int | None = None, user_id: int | None = None
    ) -> None:
        """Record in the audit what the operator did with all memories of a user or a server.

        Without both ids, the entry stands with direct messages. An export is also recorded for
        every member in it.
        """
        now = self._clock.now()
        if not user_id:
            await self._database.write(
                member_audit.record,
                member=Member(DIRECT_MESSAGES if guild_id is None else guild_id, SERVER_USER_ID),
                action=action,
                now=now,
                actor_id=OPERATOR,
            )
            if action == EXPORTED and user_id is None:
                last = BEFORE_ALL_MEMBERS

                # In batches, so that messages do not wait for long.
                def record_next(connection: Connection) -> list[Member]:
                    batch = archive_export.next_members(
                        connection, guild_id, None, last, AUDIT_BATCH
                    )
                    records.record_for_members(connection, batch, now, action)
                    return batch

                while batch := await self._database.write(record_next):
                    last = batch[-1]
            return

        def unit(connection: Connection) -> None:
            places = members.guilds_of(connection, user_id) if guild_id is None else [guild_id]
            memberships = [Member(place, user_id) for place in places]
            records.record_for_members(connection, memberships, now, action)

        await self._database.write(unit)
