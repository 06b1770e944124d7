"""Retract messages, and erase channels or members in batches. Units of work."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from utils.database.admin import jobs
from utils.database.core.engine import Connection
from utils.database.erasure import (
    answer_removals,
    channels,
    consent,
    dependants,
    forgetting,
    lore,
    messages,
    retention,
)
from utils.database.erasure.deletion import delete_of_channels, delete_of_member
from utils.database.erasure.dependants import NOTHING_ERASED, Erased
from utils.database.erasure.inventory import Extent
from utils.database.memories import audit, members, memory_changes
from utils.database.privacy import erasure_ledger, tombstones
from utils.memory.consolidation import profile
from utils.memory.policy import write_policy
from utils.memory.policy.storable_events import storable_text
from utils.models.memory import Event, Member, Memory, Profile
from utils.models.operator import Erasure, ErasureCounts, ErasureKind

BATCH = 200


def retract_messages(
    connection: Connection,
    guild_id: int,
    message_ids: Sequence[int],
    now: datetime,
    *,
    until: int = tombstones.FINAL_REVISION,
    new_text: str | None = None,
    keeps_attachments: bool = False,
    already_erased: Erased = NOTHING_ERASED,
) -> list[Member]:
    """Blank messages and erase what only they supported; returns the members whose it was.

    Nothing is learnt again from their revisions up to ``until``, not even from an export. Kith's
    answers that rest on the messages, or on what only they supported, are erased too. ``new_text``
    is what an edit leaves of the message; None: it is deleted on Discord. ``already_erased`` are
    memories that the caller has deleted in this unit of work: answers that rest on them go too.
    """
    memory_ids = list(already_erased.memory_ids)
    words = already_erased.words
    tombstones.add(connection, guild_id, message_ids, now=now, revision=until)
    lore.erase(connection, guild_id, lore.of_messages(connection, guild_id, message_ids), now)
    affected = forgetting.affected_members(connection, guild_id, message_ids)
    for member in affected:
        members.lock(connection, member)
        withdrawn = forgetting.retract(connection, member, message_ids, now=now)
        memory_ids += [*withdrawn.removed, *withdrawn.reworded]
        words |= withdrawn.words
        memory_changes.refresh_profile(
            connection, member, _profile_after_restoring(withdrawn.restored), now
        )
    messages.erase(
        connection,
        guild_id,
        message_ids,
        now,
        memories=Erased(memory_ids=memory_ids, words=words),
        new_text=new_text,
        is_deleted=new_text is None,
        keeps_attachments=keeps_attachments,
    )
    members.invalidate_guild(connection, guild_id)
    return affected


def erase_channels_batch(
    connection: Connection, guild_id: int, channel_ids: Sequence[int], now: datetime
) -> int:
    """Erase one batch of messages of channels, and with the last batch the channels themselves.

    Returns how many messages went.
    """
    message_ids = channels.messages_in(connection, guild_id, channel_ids, BATCH)
    for member in retract_messages(connection, guild_id, message_ids, now):
        channels.move_to_later_channels(connection, member, channel_ids)
    channels.delete_messages(connection, guild_id, message_ids)
    if len(message_ids) < BATCH:
        delete_of_channels(connection, guild_id, channel_ids)
    answer_removals.finish_channels(connection, guild_id, channel_ids)
    return len(message_ids)


def shorten_unchosen_batch(
    connection: Connection, guild_id: int, after_id: int, now: datetime
) -> list[Member]:
    """Shorten the lifetimes of the next members who have not chosen; returns them in id order."""
    batch = members.list_without_choice(connection, guild_id, after_id, BATCH)
    for member in batch:
        members.lock(connection, member)
    for member in batch:
        consent.shorten_lifetimes(connection, member, write_policy.MAX_TEMPORARY, now=now)
        memory_changes.refresh_profile(connection, member, profile.remaining, now)
    return batch


def erase_member(
    connection: Connection, member: Member, now: datetime, kind: ErasureKind = ErasureKind.MEMBER
) -> ErasureCounts:
    """Erase everything that a member said in a server, and with MEMBER everything about them.

    SAID and OFF erase memories, messages, answers about them, and the profile, but not the choices
    and counts. With MEMBER it is not the member who asked for it.
    """
    members.lock(connection, member)
    erasure_ledger.record(connection, Erasure(now, kind, member.guild_id, member.user_id))
    members.invalidate_guild(connection, member.guild_id)  # first: see members.lock_authors
    message_count = messages.erase_member(connection, member, now)
    actor_id = 0 if kind is ErasureKind.MEMBER else member.user_id
    memory_count = forgetting.forget_all(connection, member, now=now, actor_id=actor_id)
    if kind is ErasureKind.MEMBER:
        other_rows = retention.blank_member(connection, member)
        audit.record(connection, member, audit.FORGOT_EVERYTHING, now, actor_id)
    else:
        other_rows = delete_of_member(connection, member, Extent.SAID)
        members.save_profile(connection, member, Profile())
    jobs.finish_erasure(connection, kind, member)
    return ErasureCounts(1, memory_count, message_count, other_rows)


def _profile_after_restoring(
    restored: Mapping[int, int],
) -> Callable[[Profile, list[Memory]], Profile]:
    """Return a function that replaces successors in a profile by the memories they replaced."""

    def remaining(stored: Profile, rows: list[Memory]) -> Profile:
        profile_ids = set(stored.row_ids)
        returning = {row_id for row_id, by in restored.items() if by in profile_ids}
        if not returning:
            return profile.remaining(stored, rows)
        return profile.render(row for row in rows if row.id in profile_ids | returning)

    return remaining


def retract_if_stale(connection: Connection, event: Event, now: datetime) -> None:
    """Retract a message again if it was deleted while its new revision was being recorded.

    Also if the new revision may not be stored: its attachments were kept for that.
    """
    members.lock_existing(connection, event.guild_id, [event.author_id])
    last = channels.load_last_revision(connection, event.guild_id, event.message_id)
    if tombstones.permanent(connection, event.guild_id, [event.message_id]):
        last = None
    if last is None or last.revision == tombstones.FINAL_REVISION or last.revision < event.revision:
        retract_messages(
            connection,
            event.guild_id,
            [event.message_id],
            now,
            until=event.revision,
            new_text=""
            if last is not None and last.revision != tombstones.FINAL_REVISION
            else None,
        )


def is_new_revision(connection: Connection, event: Event) -> bool:
    """Whether an event is a later revision with another text, by the same author.

    Also of a message that is not stored, if Kith quoted what it said before.
    """
    last = channels.load_last_revision(connection, event.guild_id, event.message_id)
    if last is None:
        return dependants.is_quoted_before(connection, event)
    if last.author_id != event.author_id or last.revision >= event.revision:
        return False
    return last.text != storable_text(event.text)
