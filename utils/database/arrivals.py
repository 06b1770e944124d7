"""What an archive is written into: each function takes lines that have been judged already.

The caller holds the lock of the member that they are of.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, insert, select, update

from utils.database import guilds, memories
from utils.database.archives import Line
from utils.database.engine import Session
from utils.database.events import row_of
from utils.database.tables import (
    channel_mode,
    channel_purpose,
    guild_settings,
    memory_audit,
    memory_event,
    memory_evidence,
    open_loop,
    persona,
    policy_version,
    roast_refusal,
    tombstone,
    user_memory,
    user_state,
)
from utils.database.upsert import insert_new
from utils.model.guild import GuildSettings
from utils.model.memory import Event, EventState, Member
from utils.model.operator import IMPORTED, OPERATOR

_NAMES_A_UID = re.compile(r"#([0-9a-f]{32})")


# --- servers ------------------------------------------------------------------------------------


def is_known_server(session: Session, guild_id: int) -> bool:
    """Whether a server has chosen anything here."""
    columns = guild_settings.c
    return session.execute(select(columns.Mode).where(columns.GuildId == guild_id)).first() is not (
        None
    )


def add_server(session: Session, line: Line) -> None:
    """Store what a server chose that has chosen nothing here."""
    guild_id = line["server"]
    settings = GuildSettings(
        guild_id,
        mode=line["mode"],
        time_zone=line["time_zone"],
        base_role_id=line["base_role"],
        consent_default=line["consent_default"],
        policy_version=line["policy_version"] if line["policies"] else 0,
        frozen=line["frozen"],
        moderators_see_members=line["moderators_see_members"],
    )
    guilds.save(session, settings)
    for table, rows in (
        (
            channel_purpose,
            [
                {
                    "GuildId": guild_id,
                    "ChannelId": one["channel"],
                    "Purpose": one["purpose"],
                    "Topics": one["topics"] or None,
                }
                for one in line["channels"]
            ],
        ),
        (
            channel_mode,
            [
                {"GuildId": guild_id, "ChannelId": one["channel"], "Mode": one["mode"]}
                for one in line["channel_modes"]
            ],
        ),
        (
            persona,
            [
                {
                    "GuildId": guild_id,
                    "Name": one["name"],
                    "Text": one["text"],
                    "CreatedById": one["created_by"],
                    "CreatedAt": one["created_at"],
                    "ChangedById": one["changed_by"],
                    "ChangedAt": one["changed_at"],
                }
                for one in line["personas"]
            ],
        ),
        (
            policy_version,
            [
                {
                    "GuildId": guild_id,
                    "Version": one["version"],
                    "At": one["at"],
                    "ActorId": one["actor"],
                    "Reason": one["reason"],
                    "Policy": one["policy"],
                }
                for one in line["policies"]
            ],
        ),
    ):
        insert_new(session, table, rows)


# --- members ------------------------------------------------------------------------------------


def choices_of(session: Session, member: Member) -> Any:
    """Return a member's own row, or None."""
    return session.execute(select(user_state).where(*_of(user_state, member))).one_or_none()


def add_choices(session: Session, member: Member, line: Line) -> bool:
    """Store what a member chose who has chosen nothing here; that they are ignored holds in any
    case. Returns whether they had chosen nothing, and do now. Nothing that is stored obeys yet."""
    columns = user_state.c
    mine = update(user_state).where(*_of(user_state, member))
    chosen = 0
    if line["consent"] is not None:
        change = mine.where(columns.Consent.is_(None))
        chosen = session.execute(
            change.values(Consent=line["consent"], PassiveOptIn=line["overhears"])
        ).rowcount
    if line["ignored"]:
        session.execute(mine.values(Ignored=True))
    if line["seen_at"] is not None:
        session.execute(mine.where(columns.LastSeenAt.is_(None)).values(LastSeenAt=line["seen_at"]))
    key = {"GuildId": member.guild_id, "UserId": member.user_id}
    if line["refuses_roasts"] and line["seen_at"]:
        insert_new(session, roast_refusal, [key | {"At": line["seen_at"]}])
    return bool(chosen)


def add_deeds(session: Session, member: Member, deeds: Sequence[Line]) -> int:
    """Append to the audit what was done to a member as a whole, unless it is there; returns how
    many lines are new."""
    columns = memory_audit.c
    rows = session.execute(
        select(columns.At, columns.ActorId, columns.Action).where(
            *_of(memory_audit, member), columns.MemoryId.is_(None)
        )
    )
    known = {(row.At, row.ActorId, row.Action) for row in rows}
    new = [one for one in deeds if (one["at"], one["actor"], one["action"]) not in known]
    _audit(session, member, None, new, {})
    return len(new)


# --- messages -----------------------------------------------------------------------------------


def known_revisions(
    session: Session, guild_id: int, message_ids: Collection[int]
) -> dict[int, int]:
    """Return the last revision of those of these messages that were heard."""
    columns = memory_event.c
    return {
        row.MessageId: row[1]
        for some in memories.chunks(sorted(message_ids))
        for row in session.execute(
            select(columns.MessageId, func.max(columns.Revision))
            .where(columns.GuildId == guild_id, columns.MessageId.in_(some))
            .group_by(columns.MessageId)
        )
    }


def add_messages(session: Session, messages: Sequence[tuple[Event, datetime, bool]]) -> int:
    """Store messages of the past, each until its end; returns how many are new. They are no part of
    the channel's talk, and are not read again."""
    rows = [
        row_of(event, end, EventState.OVERHEARD if overheard else EventState.IMPORTED)
        for event, end, overheard in messages
    ]
    return len(insert_new(session, memory_event, rows))


def add_tombstones(session: Session, member: Member, lines: Sequence[Line], *, writes: bool) -> int:
    """Let messages teach nothing any more that taught nothing where the archive was made; returns
    how many are new. ``writes=False`` only counts."""
    key = {"GuildId": member.guild_id, "UserId": member.user_id}
    columns = tombstone.c
    new = 0
    for line in lines:
        here = (columns.GuildId == member.guild_id, columns.MessageId == line["message"])
        laid = session.scalar(select(columns.Revision).where(*here))
        row = key | {"MessageId": line["message"], "Revision": line["revision"]}
        if laid is None:
            new += 1
            if writes:
                insert_new(session, tombstone, [row])
        elif laid < line["revision"] and writes:
            session.execute(update(tombstone).where(*here).values(Revision=line["revision"]))
    return new


def add_loops(
    session: Session, member: Member, lines: Sequence[tuple[Line, datetime]], *, writes: bool
) -> int:
    """Store what is open, each until its end, unless it is known; returns how many are new.
    ``writes=False`` only counts."""
    columns = open_loop.c
    known = set(
        session.execute(
            select(columns.MessageId, columns.Text).where(*_of(open_loop, member))
        ).tuples()
    )
    new = [one for one in lines if (one[0]["message"], one[0]["text"]) not in known]
    if new and writes:
        session.execute(
            insert(open_loop),
            [
                {
                    "GuildId": member.guild_id,
                    "UserId": member.user_id,
                    "ChannelId": line["channel"],
                    "SourceId": line["source"],
                    "MessageId": line["message"],
                    "Kind": line["kind"],
                    "Text": line["text"],
                    "State": line["state"],
                    "DueAt": line["due_at"],
                    "CreatedAt": line["at"],
                    "ExpiresAt": end,
                }
                for line, end in new
            ],
        )
    return len(new)


# --- memories -----------------------------------------------------------------------------------


def owners(session: Session, uids: Collection[str]) -> dict[str, tuple[int, Member]]:
    """Return whose rows these Uids are here, with their ids."""
    columns = user_memory.c
    return {
        row.Uid: (row.Id, Member(row.GuildId, row.UserId))
        for some in memories.chunks(sorted(uids))
        for row in session.execute(
            select(columns.Uid, columns.Id, columns.GuildId, columns.UserId).where(
                columns.Uid.in_(some)
            )
        )
    }


def add_memory(
    session: Session,
    member: Member,
    line: Line,
    *,
    evidence: Sequence[Line],
    end: datetime | None,
    stems: str,
    ids: Mapping[str, int],
    now: datetime,
) -> int:
    """Store a memory with what it rests on and what was done to it, at its own times; returns its
    new id. ``ids`` are those of the member's rows, by their Uids."""
    row_id: int = session.execute(
        insert(user_memory)
        .values(
            Uid=line["uid"],
            GuildId=member.guild_id,
            UserId=member.user_id,
            ChannelId=line["channel"],
            Memory=line["text"],
            Topics=line["topics"],
            Importance=int(line["importance"]),
            Kind=line["kind"],
            FactKey=line["attribute"],
            Source=line["source"],
            Status=line["status"],
            Confidence=line["confidence"],
            EvidenceCount=len({one["message"] for one in evidence}),
            SearchStems=stems,
            CreatedAt=line["said_at"],
            ExpiresAt=end,
            LastConfirmedAt=line["confirmed_at"],
            LastUsedAt=line["used_at"],
            UseCount=line["uses"],
        )
        .returning(user_memory.c.Id)
    ).scalar_one()
    add_evidence(session, member, row_id, evidence, is_new=True)
    done = {"at": now, "actor": OPERATOR, "action": IMPORTED, "before": None, "after": None}
    _audit(session, member, row_id, [*line["audit"], done], ids)
    return row_id


def add_evidence(
    session: Session, member: Member, row_id: int, lines: Sequence[Line], *, is_new: bool = False
) -> int:
    """Let a row rest on further messages; returns how many are new to it. ``is_new``: it rests on
    nothing yet."""
    columns = memory_evidence.c
    known: set[int] = set()
    if not is_new:
        known.update(session.scalars(select(columns.MessageId).where(columns.MemoryId == row_id)))
    rows = {
        line["message"]: {
            "GuildId": member.guild_id,
            "MemoryId": row_id,
            "MessageId": line["message"],
            "ChannelId": line["channel"],
            "Quote": line["quote"],
            "Method": line["method"],
            "Model": line["model"],
            "PromptHash": line["prompt_hash"],
            "SaidAt": line["said_at"],
        }
        for line in lines
        if line["message"] not in known
    }
    if rows:
        session.execute(insert(memory_evidence), list(rows.values()))
    if rows and not is_new:
        session.execute(
            update(user_memory)
            .where(user_memory.c.Id == row_id)
            .values(EvidenceCount=len(known) + len(rows))
        )
    return len(rows)


def link(session: Session, row_id: int, superseded_by: int) -> None:
    """Let a row be the past of another, unless it is one's already."""
    columns = user_memory.c
    session.execute(
        update(user_memory)
        .where(columns.Id == row_id, columns.SupersededById.is_(None))
        .values(SupersededById=superseded_by)
    )


def _audit(
    session: Session,
    member: Member,
    row_id: int | None,
    deeds: Sequence[Line],
    ids: Mapping[str, int],
) -> None:
    rows = [
        {
            "GuildId": member.guild_id,
            "UserId": member.user_id,
            "MemoryId": row_id,
            "At": one["at"],
            "ActorId": one["actor"],
            "Action": one["action"],
            "Before": _numbered(one["before"], ids),
            "After": one["after"],
        }
        for one in deeds
    ]
    if rows:
        session.execute(insert(memory_audit), rows)


def _numbered(before: str | None, ids: Mapping[str, int]) -> str | None:
    """Return what stood before, a row named by its Uid being named by its number here."""
    named = _NAMES_A_UID.fullmatch(before or "")
    if named is None:
        return before
    return f"#{ids[named[1]]}" if named[1] in ids else None


def _of(table: Any, member: Member) -> tuple[Any, Any]:
    return table.c.GuildId == member.guild_id, table.c.UserId == member.user_id
