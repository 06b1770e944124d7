"""Watched channels, a server's settings for them, and the messages that wait for analysis."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, delete, func, insert, or_, select, update

from utils.database import guilds, ledger, memories, tension
from utils.database.engine import Session
from utils.database.tables import (
    passive_refusal,
    user_state,
    waiting_message,
    watch_settings,
    watched_channel,
)
from utils.database.upsert import insert_new, upsert
from utils.model.memory import Consent, Member
from utils.model.operator import Erasing, Erasure
from utils.model.watch import PassiveMemory, WatchedChannel, WatchedMessage, WatchSettings

# In the order of WatchedMessage's fields.
_WAITING = (
    waiting_message.c.GuildId,
    waiting_message.c.PlaceId,
    waiting_message.c.ChannelId,
    waiting_message.c.MessageId,
    waiting_message.c.UserId,
    waiting_message.c.AuthorName,
    waiting_message.c.Text,
    waiting_message.c.CreatedAt,
    waiting_message.c.ReplyToId,
    waiting_message.c.Revision,
)


@dataclass(frozen=True, slots=True)
class Queue:
    """How many messages of a watched channel wait."""

    guild_id: int
    place_id: int
    count: int


# --- what moderators chose ----------------------------------------------------------------------


def channels(session: Session, guild_id: int) -> tuple[WatchedChannel, ...]:
    """Return a server's watched channels, the first watched first."""
    columns = watched_channel.c
    rows = session.execute(
        select(watched_channel)
        .where(columns.GuildId == guild_id)
        .order_by(columns.AddedAt, columns.ChannelId)
    )
    return tuple(
        WatchedChannel(row.GuildId, row.ChannelId, row.Memory, row.AddedAt, row.NoticeId)
        for row in rows
    )


def everywhere(session: Session) -> list[WatchedChannel]:
    """Return every watched channel of every server."""
    rows = session.execute(select(watched_channel))
    return [
        WatchedChannel(row.GuildId, row.ChannelId, row.Memory, row.AddedAt, row.NoticeId)
        for row in rows
    ]


def add_channel(
    session: Session, guild_id: int, channel_id: int, memory: PassiveMemory, now: datetime
) -> None:
    """Have a channel watched, or change how its notes are kept."""
    upsert(
        session,
        watched_channel,
        {"GuildId": guild_id, "ChannelId": channel_id},
        {"Memory": memory, "AddedAt": now},
        on_update={"Memory": memory},
    )


def remove_channel(session: Session, guild_id: int, channel_id: int) -> bool:
    """Watch a channel no more; what waits of it goes. False if it was not watched."""
    columns, waiting = watched_channel.c, waiting_message.c
    removed = session.execute(
        delete(watched_channel).where(columns.GuildId == guild_id, columns.ChannelId == channel_id)
    )
    session.execute(
        delete(waiting_message).where(waiting.GuildId == guild_id, waiting.PlaceId == channel_id)
    )
    return bool(removed.rowcount)


def set_notice(session: Session, guild_id: int, channel_id: int, notice_id: int | None) -> bool:
    """Store which message is a channel's notice; False if it is not watched any more."""
    columns = watched_channel.c
    changed = session.execute(
        update(watched_channel)
        .where(columns.GuildId == guild_id, columns.ChannelId == channel_id)
        .values(NoticeId=notice_id)
    )
    return bool(changed.rowcount)


def load_settings(session: Session, guild_id: int) -> WatchSettings:
    """Return a server's settings; one that never chose anything has the defaults."""
    columns = watch_settings.c
    row = session.execute(
        select(
            columns.GuildId,
            columns.TensionAlert,
            columns.ToxicityAlert,
            columns.HalfLifeHours,
            columns.Prefilter,
            columns.PingRoleId,
            columns.AutoTimeout,
            columns.AutoToxicity,
            columns.AutoMinutes,
            columns.AutoDryRun,
        ).where(columns.GuildId == guild_id)
    ).one_or_none()
    return WatchSettings(guild_id) if row is None else WatchSettings(*list(row))


def save_settings(session: Session, settings: WatchSettings) -> None:
    """Store a server's settings."""
    upsert(
        session,
        watch_settings,
        {"GuildId": settings.guild_id},
        {
            "TensionAlert": settings.tension_alert,
            "ToxicityAlert": settings.toxicity_alert,
            "HalfLifeHours": settings.half_life_hours,
            "Prefilter": settings.prefilter,
            "PingRoleId": settings.ping_role_id,
            "AutoTimeout": settings.auto_timeout,
            "AutoToxicity": settings.auto_toxicity,
            "AutoMinutes": settings.auto_minutes,
            "AutoDryRun": settings.auto_dry_run,
        },
    )


# --- what members chose -------------------------------------------------------------------------


def set_refusal(session: Session, member: Member, *, refuses: bool) -> None:
    """Store whether a member turned off that what they say to others is noted."""
    columns = passive_refusal.c
    mine = and_(columns.GuildId == member.guild_id, columns.UserId == member.user_id)
    if not refuses:
        session.execute(delete(passive_refusal).where(mine))
    elif not refused(session, member):
        session.execute(
            insert(passive_refusal).values(GuildId=member.guild_id, UserId=member.user_id)
        )


def refused(session: Session, member: Member) -> bool:
    """Whether a member turned off that what they say to others is noted."""
    columns = passive_refusal.c
    mine = and_(columns.GuildId == member.guild_id, columns.UserId == member.user_id)
    return session.execute(select(columns.UserId).where(mine)).first() is not None


def without_consent(session: Session, guild_id: int, user_ids: Collection[int]) -> set[int]:
    """Return those of these members of whom nothing may be stored: their consent is off."""
    columns = user_state.c
    chosen = dict(
        session.execute(
            select(columns.UserId, columns.Consent).where(
                columns.GuildId == guild_id,
                columns.UserId.in_(user_ids),
                columns.Consent.is_not(None),
            )
        ).all()
    )
    default = guilds.load(session, guild_id).consent_default
    return {one for one in user_ids if chosen.get(one, default) is Consent.OFF}


# --- what waits ---------------------------------------------------------------------------------


def store(session: Session, messages: Sequence[WatchedMessage]) -> list[WatchedMessage]:
    """Let messages of one server wait for analysis; returns those that newly do.

    An earlier revision that still waits is replaced. Authors without consent, channels that are
    watched no more, and what another process has had analysed already are left out.
    """
    guild_id = messages[0].guild_id
    watched = {one.channel_id for one in channels(session, guild_id)}
    silent = without_consent(session, guild_id, {one.author_id for one in messages})
    heard = {
        one.message_id: one
        for one in messages
        if one.place_id in watched and one.author_id not in silent
    }
    known = _known(session, guild_id, list(heard))
    for message_id in known.keys() & heard.keys():
        if heard[message_id].revision > known[message_id]:
            _replace(session, heard[message_id])
    scored = {one.message_id for one in tension.scores(session, guild_id, list(heard))}
    new = [
        one
        for one in heard.values()
        if one.message_id not in known and (one.revision or one.message_id not in scored)
    ]
    made = insert_new(session, waiting_message, [_row(one) for one in new])
    ids = {row["MessageId"] for row in made}  # the others another process has stored just now
    return [one for one in new if one.message_id in ids]


def queues(session: Session) -> list[Queue]:
    """Return the watched channels of which something waits."""
    columns = waiting_message.c
    rows = session.execute(
        select(columns.GuildId, columns.PlaceId, func.count().label("Waiting")).group_by(
            columns.GuildId, columns.PlaceId
        )
    )
    return [Queue(row.GuildId, row.PlaceId, row.Waiting) for row in rows]


def count(session: Session, guild_id: int, place_id: int) -> int:
    """Return how many messages of a watched channel wait."""
    columns = waiting_message.c
    here = and_(columns.GuildId == guild_id, columns.PlaceId == place_id)
    return session.scalar(select(func.count()).select_from(waiting_message).where(here)) or 0


def oldest(session: Session, guild_id: int, place_id: int, limit: int) -> list[WatchedMessage]:
    """Return what waits of a watched channel, oldest first, without those who withdrew consent."""
    columns = waiting_message.c
    rows = session.execute(
        select(*_WAITING)
        .where(columns.GuildId == guild_id, columns.PlaceId == place_id)
        .order_by(columns.MessageId)
        .limit(limit)
    )
    found = [WatchedMessage(*list(row)) for row in rows]
    silent = without_consent(session, guild_id, {one.author_id for one in found})
    return [one for one in found if one.author_id not in silent]


def still_waiting(session: Session, messages: Sequence[WatchedMessage]) -> set[int]:
    """Return the ids of those messages of one server that wait in just this revision."""
    if not messages:
        return set()
    known = _known(session, messages[0].guild_id, [one.message_id for one in messages])
    return {one.message_id for one in messages if known.get(one.message_id) == one.revision}


def finish(session: Session, messages: Sequence[WatchedMessage]) -> set[int]:
    """Take analysed messages from what waits; returns the ids of those that did, unchanged.

    What was deleted meanwhile is not among them; what was edited waits on.
    """
    if not messages:
        return set()
    guild_id, columns = messages[0].guild_id, waiting_message.c
    for some in memories.chunks([one.message_id for one in messages]):
        # Takes the rows' locks: no later revision comes between looking and deleting.
        held = update(waiting_message).where(columns.GuildId == guild_id)
        session.execute(held.where(columns.MessageId.in_(some)).values(Revision=columns.Revision))
    done = still_waiting(session, messages)
    if done:
        delete_waiting(session, guild_id, sorted(done))
    return done


def delete_waiting(session: Session, guild_id: int, message_ids: Sequence[int]) -> int:
    """Delete messages that wait; returns how many did."""
    columns = waiting_message.c
    return sum(
        session.execute(
            delete(waiting_message).where(columns.GuildId == guild_id, columns.MessageId.in_(some))
        ).rowcount
        for some in memories.chunks(message_ids)
    )


def keep_newest(session: Session, guild_id: int, place_id: int, most: int) -> int:
    """Drop a watched channel's oldest messages so that ``most`` wait; returns how many went."""
    columns = waiting_message.c
    here = and_(columns.GuildId == guild_id, columns.PlaceId == place_id)
    oldest_kept = session.scalar(
        select(columns.MessageId)
        .where(here)
        .order_by(columns.MessageId.desc())
        .offset(most - 1)
        .limit(1)
    )
    if oldest_kept is None:
        return 0
    return session.execute(
        delete(waiting_message).where(here, columns.MessageId < oldest_kept)
    ).rowcount


def drop_old(session: Session, before: datetime) -> int:
    """Drop what has waited since before then; returns how many messages went."""
    columns = waiting_message.c
    return session.execute(delete(waiting_message).where(columns.CreatedAt < before)).rowcount


def drop_all(session: Session) -> None:
    """Drop everything that waits: what was under way when a backup was made is read no more."""
    session.execute(delete(waiting_message))


# --- erasing ------------------------------------------------------------------------------------


def forget_messages(
    session: Session, guild_id: int, message_ids: Sequence[int], now: datetime
) -> None:
    """Delete deleted messages that wait, and the scores of those that were analysed, which are
    entered in the ledger: what waits is taken from no backup."""
    delete_waiting(session, guild_id, message_ids)
    for one in tension.scores(session, guild_id, message_ids):
        erasure = Erasure(now, Erasing.MESSAGE, guild_id, one.user_id, message_id=one.message_id)
        ledger.note(session, erasure)
    tension.delete_scores(session, guild_id, message_ids)


def erase_places(session: Session, guild_id: int, channel_ids: Sequence[int]) -> None:
    """Delete everything of channels and threads that are gone: they are watched no more."""
    waiting, watched = waiting_message.c, watched_channel.c
    here = or_(waiting.PlaceId.in_(channel_ids), waiting.ChannelId.in_(channel_ids))
    session.execute(delete(waiting_message).where(waiting.GuildId == guild_id, here))
    session.execute(
        delete(watched_channel).where(
            watched.GuildId == guild_id, watched.ChannelId.in_(channel_ids)
        )
    )
    tension.erase_places(session, guild_id, channel_ids)


def erase_member(session: Session, member: Member) -> int:
    """Delete what waits of a member, their scores and their level; returns how many rows went."""
    columns = waiting_message.c
    waiting = session.execute(
        delete(waiting_message).where(
            columns.GuildId == member.guild_id, columns.UserId == member.user_id
        )
    ).rowcount
    return waiting + tension.erase_member(session, member.guild_id, member.user_id)


def _known(session: Session, guild_id: int, message_ids: Sequence[int]) -> Mapping[int, int]:
    """Return the revisions in which these messages wait, by id."""
    columns = waiting_message.c
    found: dict[int, int] = {}
    for some in memories.chunks(message_ids):
        rows = session.execute(
            select(columns.MessageId, columns.Revision).where(
                columns.GuildId == guild_id, columns.MessageId.in_(some)
            )
        )
        found |= {row.MessageId: row.Revision for row in rows}
    return found


def _replace(session: Session, message: WatchedMessage) -> None:
    columns = waiting_message.c
    session.execute(
        update(waiting_message)
        .where(
            columns.GuildId == message.guild_id,
            columns.MessageId == message.message_id,
            columns.Revision < message.revision,
        )
        .values(Text=message.text, Revision=message.revision)
    )


def _row(message: WatchedMessage) -> dict[str, Any]:
    return {
        "GuildId": message.guild_id,
        "MessageId": message.message_id,
        "PlaceId": message.place_id,
        "ChannelId": message.channel_id,
        "UserId": message.author_id,
        "AuthorName": message.author_name,
        "Text": message.text,
        "CreatedAt": message.created_at,
        "ReplyToId": message.reply_to_id,
        "Revision": message.revision,
    }
