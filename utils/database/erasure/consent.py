"""A member's own choices, and how a change of consent changes when their rows expire.

The caller of every function that changes something holds the member's lock.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, delete, func, insert, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import delete_all, is_member, member_parameters, of_member
from utils.database.erasure import lore
from utils.database.erasure.dependants import Erased, blank, erase_dependants
from utils.database.guilds import personas
from utils.database.memories import members, memories
from utils.database.messages import attachments, summaries
from utils.database.privacy import expiry
from utils.database.schema.memory_tables import (
    answer_source,
    episode_member,
    episode_summary,
    memory_event,
    open_loop,
    passive_refusal,
    user_memory,
    user_state,
)
from utils.database.sentiment import watched_channels
from utils.models.memory import Form, Kind, Member, Role, Status
from utils.models.provenance import SourceKind
from utils.models.transfer import MemberChoices

_SUMMARY, _EVENT, _MEMORY, _MEMBER, _LOOP = (
    episode_summary.c,
    memory_event.c,
    user_memory.c,
    episode_member.c,
    open_loop.c,
)


# Built once: building costs more than running.
_CHOICES = select(
    user_state.c.Consent,
    user_state.c.PassiveOptIn,
    user_state.c.TimeZone,
    user_state.c.NeverFirst,
    user_state.c.Noted,
    user_state.c.NotFindable,
).where(is_member(user_state))


def load_choices(connection: Connection, member: Member) -> MemberChoices:
    """Return everything that the member chose; the defaults for an unknown member."""
    row = connection.execute(_CHOICES, member_parameters(member)).one_or_none()
    refuses = personas.any_refuses_roasts(connection, member.guild_id, [member.user_id])
    opt_out = watched_channels.has_opted_out(connection, member)
    if row is None:
        return MemberChoices(refuses_roasts=refuses, passive_opt_out=opt_out)
    return MemberChoices(row.Consent, row.PassiveOptIn, refuses, opt_out, *row[2:])


def set_passive(connection: Connection, member: Member, *, opt_in: bool) -> None:
    """Store whether messages to others may teach something; the caller holds the member's lock.

    A refusal also locks the server's row, which notes of members without a row hold instead.
    """
    if not opt_in:
        members.invalidate_guild(connection, member.guild_id)
    connection.execute(
        update(user_state).where(of_member(user_state, member)).values(PassiveOptIn=opt_in)
    )
    if opt_in:
        connection.execute(delete(passive_refusal).where(of_member(passive_refusal, member)))
    elif not watched_channels.has_opted_out(connection, member):
        connection.execute(
            insert(passive_refusal).values(GuildId=member.guild_id, UserId=member.user_id)
        )


def shorten_lifetimes(
    connection: Connection, member: Member, max_age: timedelta, *, now: datetime
) -> None:
    """Make everything of a member expire at most ``max_age`` after they last said it.

    What is older than that is deleted at once, and so is the server's lore that they told.
    """
    lore.erase(connection, member.guild_id, lore.of_member(connection, member), now)
    columns, prompt = memory_event.c, memory_event.alias().c
    prompt_ids = select(prompt.MessageId).where(
        prompt.GuildId == member.guild_id, prompt.AuthorId == member.user_id
    )
    in_guild = columns.GuildId == member.guild_id
    answers = and_(in_guild, columns.Role == Role.KITH, columns.ReplyToId.in_(prompt_ids))
    by_member = and_(in_guild, columns.AuthorId == member.user_id)
    is_shorter = [
        # Before the memories, which it reads.
        _cut_answers_resting_on(connection, member, max_age, now),
        *(
            _cut_events(connection, member.guild_id, condition, max_age, now)
            for condition in (answers, by_member)  # answers are found by what they answer
        ),
        attachments.cap_expiry(connection, member, max_age, now),
        _shorten_derived(connection, member, max_age),
    ]
    rows = connection.execute(
        select(_MEMORY.Id, _MEMORY.LastConfirmedAt, _MEMORY.ExpiresAt).where(
            of_member(user_memory, member)
        )
    )
    earlier = expiry.capped_expiries(rows, max_age)
    overdue = [row_id for row_id, expires_at in earlier.items() if expires_at <= now]
    memories.remove(connection, member, overdue, "expired", now=now, actor_id=member.user_id)
    expiry.set_expiries(
        connection, user_memory, {row_id: at for row_id, at in earlier.items() if at > now}
    )
    if any(is_shorter):  # other processes hold prepared copies of these texts
        members.invalidate_guild(connection, member.guild_id)


def prolong_lifetimes(
    connection: Connection,
    member: Member,
    cut: timedelta,
    kinds: Collection[Kind],
    *,
    now: datetime,
) -> None:
    """Make memories of these kinds permanent if only a shorter consent limited them.

    Such a memory expires exactly ``cut`` after it was last said. Expired memories stay expired.
    """
    rows = connection.execute(
        select(_MEMORY.Id, _MEMORY.LastConfirmedAt, _MEMORY.ExpiresAt).where(
            of_member(user_memory, member),
            _MEMORY.Kind.in_(kinds),
            _MEMORY.Form == Form.NOTE,  # a quote ends with its message
            _MEMORY.Status != Status.FORGOTTEN,
            _MEMORY.ExpiresAt > now,
        )
    )
    expiry.set_expiries(
        connection,
        user_memory,
        {row.Id: None for row in rows if row.ExpiresAt == row.LastConfirmedAt + cut},
    )


def _cut_answers_resting_on(
    connection: Connection, member: Member, max_age: timedelta, now: datetime
) -> bool:
    """Make answers end at most ``max_age`` after the first of a member's words in their prompts.

    A summary has the words of all who took part in its conversation, from when it began. Answers
    that would have ended are blanked. Returns whether anything changed.
    """
    columns, source, prompt, memory, summary = (
        memory_event.c,
        answer_source.c,
        memory_event.alias().c,
        user_memory.c,
        episode_summary.c,
    )
    of_guild, is_theirs = source.GuildId == member.guild_id, source.UserId == member.user_id
    is_message = and_(
        source.Kind == SourceKind.MESSAGE,
        is_theirs,
        prompt.GuildId == source.GuildId,
        prompt.MessageId == source.SourceId,
    )
    is_memory = and_(source.Kind == SourceKind.MEMORY, is_theirs, memory.Id == source.SourceId)
    took_part = select(episode_member.c.EpisodeId).where(of_member(episode_member, member))
    is_summary = and_(
        source.Kind == SourceKind.EPISODE,
        source.SourceId.in_(took_part),
        summary.GuildId == source.GuildId,
        summary.EpisodeId == source.SourceId,
    )
    first_said: dict[int, tuple[datetime, datetime]] = {}
    for said_at, of_source in (
        (prompt.CreatedAt, is_message),
        (memory.LastConfirmedAt, is_memory),
        (summary.SaidFrom, is_summary),
    ):
        rows = connection.execute(
            select(columns.Id, func.min(said_at), func.max(columns.ExpiresAt))
            .join_from(answer_source, memory_event, columns.Id == source.EventId)
            .join(said_at.table, of_source)
            .where(of_guild)
            .group_by(columns.Id)
        )
        for event_id, at, expires_at in rows:
            earlier, _ = first_said.get(event_id, (at, expires_at))
            first_said[event_id] = min(earlier, at), expires_at
    rows_to_cap = [(event_id, *times) for event_id, times in first_said.items()]
    earlier_ends = expiry.capped_expiries(rows_to_cap, max_age)
    overdue = [event_id for event_id, ends_at in earlier_ends.items() if ends_at <= now]
    expiry.set_expiries(connection, memory_event, earlier_ends)
    episode_ids = blank(connection, member.guild_id, overdue)
    erase_dependants(
        connection, member.guild_id, Erased(episode_ids=episode_ids, is_expired=True), now
    )
    return bool(earlier_ends)


def _cut_events(
    connection: Connection,
    guild_id: int,
    condition: ColumnElement[bool],
    max_age: timedelta,
    now: datetime,
) -> bool:
    overdue = and_(condition, _EVENT.CreatedAt <= now - max_age)
    episode_ids = summaries.erase_summaries(connection, guild_id, overdue)
    erase_dependants(connection, guild_id, Erased(episode_ids=episode_ids, is_expired=True), now)
    deleted = delete_all(connection, memory_event, overdue)
    rows = connection.execute(
        select(_EVENT.Id, _EVENT.CreatedAt, _EVENT.ExpiresAt).where(condition)
    )
    earlier = expiry.capped_expiries(rows, max_age)
    expiry.set_expiries(connection, memory_event, earlier)
    return bool(deleted or earlier)


def _shorten_derived(connection: Connection, member: Member, max_age: timedelta) -> bool:
    """Shorten the lifetime of a member's open loops and of the summaries of their episodes.

    Returns whether a summary changed.
    """
    loops = connection.execute(
        select(_LOOP.Id, _LOOP.CreatedAt, _LOOP.ExpiresAt).where(of_member(open_loop, member))
    )
    expiry.set_expiries(connection, open_loop, expiry.capped_expiries(loops, max_age))
    kept_summaries = connection.execute(
        select(_SUMMARY.Id, _SUMMARY.SaidFrom, _SUMMARY.ExpiresAt)
        .join(
            episode_member,
            and_(
                _MEMBER.GuildId == _SUMMARY.GuildId,
                _MEMBER.EpisodeId == _SUMMARY.EpisodeId,
            ),
        )
        .where(of_member(episode_member, member))
    )
    earlier = expiry.capped_expiries(kept_summaries, max_age)
    expiry.set_expiries(connection, episode_summary, earlier)
    return bool(earlier)
