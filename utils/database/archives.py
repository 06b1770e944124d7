"""What an archive is read from: each function returns lines as forms.py writes them."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Table, and_, or_, select

from utils.database import guilds, histories, memories, personas
from utils.database.engine import Session
from utils.database.reviews import POSTED
from utils.database.tables import (
    channel_mode,
    guild_settings,
    memory_audit,
    memory_event,
    open_loop,
    passive_refusal,
    persona,
    policy_version,
    tombstone,
    user_memory,
    user_state,
)
from utils.database.types import has_words
from utils.model.memory import EventState, Importance, Member, Role, Status

Line = dict[str, Any]
_NAMES_A_ROW = re.compile(r"#(\d+)")


def next_members(
    session: Session, guild_id: int | None, user_id: int | None, after: Member, limit: int
) -> list[Member]:
    """Return the next members of whom anything is stored, in the order of their ids, of one server
    or all, and of one person or all."""
    columns = user_state.c
    query = select(columns.GuildId, columns.UserId).where(
        columns.GuildId >= after.guild_id,
        or_(
            columns.GuildId > after.guild_id,
            and_(columns.GuildId == after.guild_id, columns.UserId > after.user_id),
        ),
    )
    if guild_id is not None:
        query = query.where(columns.GuildId == guild_id)
    if user_id is not None:
        query = query.where(columns.UserId == user_id)
    rows = session.execute(query.order_by(columns.GuildId, columns.UserId).limit(limit))
    return [Member(row.GuildId, row.UserId) for row in rows]


def servers(session: Session, guild_id: int | None) -> list[int]:
    """Return the servers that chose anything, in order; only that one if it is named."""
    columns = guild_settings.c
    query = select(columns.GuildId).where(columns.RemovedAt.is_(None)).order_by(columns.GuildId)
    if guild_id is not None:
        query = query.where(columns.GuildId == guild_id)
    return list(session.scalars(query))


def server_line(session: Session, guild_id: int) -> Line:
    """Return what a server chose."""
    settings = guilds.load(session, guild_id)
    return {
        "server": guild_id,
        "mode": settings.mode,
        "time_zone": settings.time_zone,
        "base_role": settings.base_role_id,
        "consent_default": settings.consent_default,
        "frozen": settings.frozen,
        "moderators_see_members": settings.moderators_see_members,
        "channels": [
            {"channel": one.channel_id, "purpose": one.purpose, "topics": ",".join(one.topics)}
            for one in settings.channels
        ],
        "channel_modes": [
            {"channel": row.ChannelId, "mode": row.Mode}
            for row in _rows(session, channel_mode, guild_id, channel_mode.c.ChannelId)
        ],
        "personas": [
            {
                "name": row.Name,
                "text": row.Text,
                "created_by": row.CreatedById,
                "created_at": row.CreatedAt,
                "changed_by": row.ChangedById,
                "changed_at": row.ChangedAt,
            }
            for row in _rows(session, persona, guild_id, persona.c.Name)
        ],
        "policy_version": settings.policy_version,
        "policies": [
            {
                "version": row.Version,
                "at": row.At,
                "actor": row.ActorId,
                "reason": row.Reason,
                "policy": row.Policy,
            }
            for row in _rows(session, policy_version, guild_id, policy_version.c.Version)
        ],
    }


def member_line(session: Session, member: Member, now: datetime) -> Line:
    """Return what a member chose, their profile, and what was done to all of them at once."""
    row = session.execute(select(user_state).where(*_of(user_state, member))).one()
    row_ids = [int(one) for one in row.NotesRowIds.split()]
    uids = _uids(session, row_ids)
    lives = row_ids and all(one in uids for one in row_ids)
    return {
        "server": member.guild_id,
        "member": member.user_id,
        "consent": row.Consent,
        "overhears": row.PassiveOptIn,
        "refuses_overhearing": session.execute(
            select(passive_refusal.c.UserId).where(*_of(passive_refusal, member))
        ).first()
        is not None,
        "refuses_roasts": personas.any_refuses(session, member.guild_id, [member.user_id]),
        "ignored": row.Ignored,
        "seen_at": row.LastSeenAt,
        "profile": row.UserNotes if lives else "",
        "profile_rows": [uids[one] for one in row_ids] if lives else [],
        "audit": [
            _deed(deed, {})
            for deed in session.execute(
                select(memory_audit)
                .where(
                    *_of(memory_audit, member),
                    memory_audit.c.MemoryId.is_(None),
                    memory_audit.c.Action != POSTED,  # says where on Discord; rows wait no more
                )
                .order_by(memory_audit.c.Id)
            )
        ],
    }


def tombstone_lines(session: Session, member: Member) -> list[Line]:
    """Return which messages of a member teach nothing any more."""
    columns = tombstone.c
    rows = session.execute(
        select(columns.MessageId, columns.Revision)
        .where(*_of(tombstone, member))
        .order_by(columns.MessageId)
    )
    return [{**_whose(member), "message": row.MessageId, "revision": row.Revision} for row in rows]


def message_lines(
    session: Session, member: Member, after_id: int, now: datetime, limit: int
) -> tuple[list[Line], int]:
    """Return a member's next messages as they were heard, and the id of the last."""
    columns = memory_event.c
    rows = session.execute(
        select(memory_event)
        .where(
            columns.GuildId == member.guild_id,
            columns.AuthorId == member.user_id,
            columns.Id > after_id,
            columns.Role == Role.MEMBER,
            columns.ExpiresAt > now,
            has_words(columns.Text),
        )
        .order_by(columns.Id)
        .limit(limit)
    ).all()
    lines = [
        {
            **_whose(member),
            "channel": row.ChannelId,
            "source": row.SourceId,
            "message": row.MessageId,
            "revision": row.Revision,
            "reply_to": row.ReplyToId,
            "name": row.AuthorName,
            "text": row.Text,
            "overheard": row.State is EventState.OVERHEARD,
            "at": row.CreatedAt,
        }
        for row in rows
    ]
    return lines, rows[-1].Id if rows else after_id


def memory_lines(session: Session, member: Member, now: datetime) -> list[Line]:
    """Return a member's memories that have not ended, in the order in which they were learnt, each
    with what it rests on and what was done to it."""
    columns = user_memory.c
    rows = session.execute(
        select(user_memory)
        .where(
            *_of(user_memory, member),
            columns.Status != Status.FORGOTTEN,
            or_(columns.ExpiresAt.is_(None), columns.ExpiresAt > now),
        )
        .order_by(columns.Id)
    ).all()
    uids = {row.Id: row.Uid for row in rows}
    evidence = histories.evidence_by_row(session, list(uids))
    audit = _audit_by_row(session, list(uids), uids)
    return [
        {
            **_whose(member),
            "uid": row.Uid,
            "channel": row.ChannelId,
            "text": row.Memory,
            "topics": row.Topics,
            "importance": Importance(row.Importance),
            "kind": row.Kind,
            "attribute": row.FactKey,
            "source": row.Source,
            "status": row.Status,
            "confidence": row.Confidence,
            "said_at": row.CreatedAt,
            "confirmed_at": row.LastConfirmedAt,
            "used_at": row.LastUsedAt,
            "uses": row.UseCount,
            "ends_at": row.ExpiresAt,
            "superseded_by": uids.get(row.SupersededById),
            "evidence": [
                {
                    "message": one.message_id,
                    "channel": one.channel_id,
                    "quote": one.quote,
                    "method": one.method,
                    "model": one.model,
                    "prompt_hash": one.prompt_hash,
                    "said_at": one.said_at,
                }
                for one in evidence.get(row.Id, ())
            ],
            "audit": audit.get(row.Id, []),
        }
        for row in rows
    ]


def loop_lines(session: Session, member: Member, now: datetime) -> list[Line]:
    """Return what is open between a member and Kith, or was brought up."""
    columns = open_loop.c
    rows = session.execute(
        select(open_loop)
        .where(*_of(open_loop, member), columns.ExpiresAt > now)
        .order_by(columns.Id)
    )
    return [
        {
            **_whose(member),
            "channel": row.ChannelId,
            "source": row.SourceId,
            "message": row.MessageId,
            "kind": row.Kind,
            "text": row.Text,
            "state": row.State,
            "due_at": row.DueAt,
            "at": row.CreatedAt,
            "ends_at": row.ExpiresAt,
        }
        for row in rows
    ]


def _audit_by_row(
    session: Session, row_ids: Sequence[int], uids: Mapping[int, str]
) -> dict[int, list[Line]]:
    columns = memory_audit.c
    found: dict[int, list[Line]] = defaultdict(list)
    for some in memories.chunks(row_ids):
        rows = session.execute(
            select(memory_audit).where(columns.MemoryId.in_(some)).order_by(columns.Id)
        )
        for row in rows:
            found[row.MemoryId].append(_deed(row, uids))
    return found


def _deed(row: Any, uids: Mapping[int, str]) -> Line:
    before = row.Before
    named = _NAMES_A_ROW.fullmatch(before or "")
    if named is not None:  # a number means nothing elsewhere
        uid = uids.get(int(named[1]))
        before = None if uid is None else f"#{uid}"
    return {
        "at": row.At,
        "actor": row.ActorId,
        "action": row.Action,
        "before": before,
        "after": row.After,
    }


def _uids(session: Session, row_ids: Sequence[int]) -> dict[int, str]:
    columns = user_memory.c
    return {
        row.Id: row.Uid
        for some in memories.chunks(row_ids)
        for row in session.execute(select(columns.Id, columns.Uid).where(columns.Id.in_(some)))
    }


def _rows(session: Session, table: Table, guild_id: int, first: Any) -> Iterator[Any]:
    yield from session.execute(select(table).where(table.c.GuildId == guild_id).order_by(first))


def _whose(member: Member) -> Line:
    return {"server": member.guild_id, "member": member.user_id}


def _of(table: Table, member: Member) -> tuple[Any, Any]:
    return table.c.GuildId == member.guild_id, table.c.UserId == member.user_id
