"""Erase what a member asks to forget, and record it in the erasure ledger. Units of work.

MemoryEditor runs them on request; erasure_replay.py repeats them on a restored backup.
"""

from collections.abc import Sequence
from datetime import datetime

from utils.database.admin import jobs
from utils.database.core.engine import Connection
from utils.database.erasure import channels, forgetting, lore, messages
from utils.database.erasure import consent as member_consent
from utils.database.memories import audit, members, memories, memory_changes, write_policies
from utils.database.messages import episodes, events, stored_messages
from utils.database.privacy import erasure_ledger
from utils.memory.consolidation import profile
from utils.memory.policy import write_policy as policy
from utils.memory.privacy import retraction
from utils.models.memory import SERVER_USER_ID, Consent, Member
from utils.models.operator import Erasure, ErasureKind
from utils.models.policy import WritePolicy

PERMANENT_KINDS = [kind for kind, days in policy.MAX_DAYS_KEPT.items() if days is None]


def forget_memory(
    connection: Connection,
    member: Member,
    memory_id: int,
    now: datetime,
    actor_id: int | None = None,
) -> bool:
    """Erase one memory and the messages behind it; False if it is not this member's.

    ``actor_id`` is who asked for it; None: the member.
    """
    members.lock(connection, member)
    forgotten = forgetting.forget(connection, member, memory_id, now=now, actor_id=actor_id)
    if forgotten is None:
        return False
    messages.erase(connection, member.guild_id, [*forgotten.message_ids], now, memories=forgotten)
    members.invalidate_guild(connection, member.guild_id)
    memory_changes.refresh_profile(connection, member, profile.remaining, now)
    return True


def forget_message(
    connection: Connection, member: Member, event_id: int, now: datetime, actor_id: int
) -> bool:
    """Erase one stored message with all that rests on it; False if it is not this member's.

    ``actor_id`` is who asked for it.
    """
    members.lock(connection, member)
    message = stored_messages.find(connection, member, event_id, now)
    if message is None:
        return False
    retraction.retract_messages(connection, member.guild_id, [message.message_id], now)
    channels.mark_erased(connection, member.guild_id, [message.message_id])
    audit.record(connection, member, audit.FORGOT_MESSAGE, now, actor_id)
    return True


def forget_items(
    connection: Connection,
    member: Member,
    memory_ids: Sequence[int],
    event_ids: Sequence[int],
    now: datetime,
    actor_id: int | None = None,
) -> int:
    """Erase memories and stored messages of a member; returns how many went.

    Memories go with the messages behind them, messages with what rests on them. Ids of others are
    skipped. ``actor_id`` is who asked for it. None is the member: then those of their linked
    account go too. Of the server's stories and facts, those that rest on their words are withdrawn;
    the messages stay.
    """
    is_own, count = actor_id is None, 0
    actor_id = member.user_id if actor_id is None else actor_id
    for account in members.lock_accounts(connection, member) if is_own else (member,):
        for id_ in memory_ids:
            count += forget_memory(connection, account, id_, now, actor_id=actor_id)
        for id_ in event_ids:
            count += forget_message(connection, account, id_, now, actor_id=actor_id)
        if is_own:
            story_ids = sorted({*memory_ids}.intersection(lore.of_member(connection, account)))
            lore.erase(connection, member.guild_id, story_ids, now, actor_id=actor_id)
            count += len(story_ids)
    return count


def forget_of_server(
    connection: Connection, guild_id: int, memory_id: int, *, now: datetime, actor_id: int
) -> bool:
    """Erase one of a server's own stories and facts; False if it has none with this id."""
    server = Member(guild_id, SERVER_USER_ID)
    members.lock(connection, server)
    is_there = any(row.id == memory_id for row in memories.load_current(connection, server, now))
    lore.erase(connection, guild_id, [memory_id] if is_there else [], now, actor_id=actor_id)
    return is_there


def forget_all(connection: Connection, member: Member, now: datetime) -> int:
    """Erase a member's messages and memories, but not their choices; returns how many memories."""
    members.lock(connection, member)
    count = retraction.erase_member(connection, member, now, ErasureKind.SAID).memories
    audit.record(connection, member, audit.FORGOT_EVERYTHING, now, member.user_id)
    return count


def forget_both_accounts(connection: Connection, member: Member, now: datetime) -> int:
    """Do :func:`forget_all` for a member and their linked account; returns how many memories."""
    accounts = members.lock_accounts(connection, member)
    return sum(forget_all(connection, account, now) for account in accounts)


def set_consent(
    connection: Connection,
    member: Member,
    choice: Consent | None,
    *,
    passive: bool | None,
    findable: bool | None = None,
    write_policy: WritePolicy,
    now: datetime,
) -> None:
    """Store a member's choices, and apply them to what is stored.

    ``choice`` is how long Kith may remember them, ``passive`` whether it may note what they say to
    others, ``findable`` whether others may find them by their notes. None keeps a choice.
    """
    members.lock(connection, member)
    if findable is not None:
        members.choose(connection, member, not_findable=not findable)
    before = member_consent.load_choices(connection, member)
    turns_on = choice not in (None, Consent.OFF)
    if turns_on and jobs.unfinished_up_to(connection, ErasureKind.OFF, member) is not None:
        # Else the night would turn it off again.
        retraction.erase_member(connection, member, now, ErasureKind.OFF)
    if choice is not None:
        choose_consent(connection, member, choice, now)
    if choice is Consent.OFF:
        retraction.erase_member(connection, member, now, ErasureKind.OFF)
    elif choice is Consent.TEMPORARY:
        _record(connection, ErasureKind.SHORTER, member, now)
        member_consent.shorten_lifetimes(connection, member, policy.MAX_TEMPORARY, now=now)
        memory_changes.refresh_profile(connection, member, profile.remaining, now)
    elif choice is Consent.LASTING:
        active_policy = policy.in_force(
            write_policies.load(connection, member.guild_id), write_policy
        )
        kinds = [kind for kind in PERMANENT_KINDS if kind not in active_policy.longest_days]
        member_consent.prolong_lifetimes(connection, member, policy.MAX_TEMPORARY, kinds, now=now)
    opt_in = False if choice is Consent.OFF else passive
    if opt_in is not None:
        member_consent.set_passive(connection, member, opt_in=opt_in)
    was_chosen = before.passive_opt_in if opt_in else before.passive_opt_out
    if passive is not None and not was_chosen:
        audit.record(
            connection, member, f"passive {'on' if passive else 'off'}", now, member.user_id
        )
    if opt_in is False and choice is not Consent.OFF:
        _record(connection, ErasureKind.UNHEARD, member, now)


def choose_consent(connection: Connection, member: Member, choice: Consent, now: datetime) -> None:
    """Store and audit a member's choice of consent; the caller holds the member's lock."""
    if choice is not member_consent.load_choices(connection, member).consent:
        members.choose(connection, member, consent=choice)
        audit.record(connection, member, f"consent {choice}", now, member.user_id)


def reset_channel(connection: Connection, guild_id: int, channel_id: int, now: datetime) -> None:
    """Clear a channel's working memory, and discard its open episode."""
    erasure_ledger.record(
        connection, Erasure(now, ErasureKind.CHAPTER, guild_id, channel_id=channel_id)
    )
    events.reset_working_memory(connection, guild_id, channel_id)
    episodes.discard_open(connection, (guild_id, channel_id))
    members.invalidate_guild(connection, guild_id)


def _record(connection: Connection, kind: ErasureKind, member: Member, now: datetime) -> None:
    erasure_ledger.record(connection, Erasure(now, kind, member.guild_id, member.user_id))
