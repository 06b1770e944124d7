"""Units of work in which something of a member goes by their own wish, entered in the ledger.

Keeper runs them when the wish is made, and redoing.py again on a backup that was restored.
"""

from datetime import datetime, timedelta

from utils.database import (
    account_links,
    alert_acts,
    episodes,
    erasing,
    events,
    forgetting,
    histories,
    ledger,
    lifetimes,
    members,
    policies,
    watching,
)
from utils.database.engine import Session
from utils.memory import policy, profile
from utils.model.memory import Consent, Member
from utils.model.operator import Erasing, Erasure
from utils.model.policy import WritePolicy

LONGEST_TEMPORARY = timedelta(days=policy.TEMPORARY_DAYS)
PERMANENT_KINDS = [kind for kind, days in policy.LONGEST_DAYS.items() if days is None]


def forget_one(
    session: Session,
    member: Member,
    memory_id: int,
    now: datetime,
    actor_id: int | None = None,
) -> bool:
    """Erase one memory and the messages behind it; False if it is not this member's.

    It is the member's own wish unless ``actor_id`` says whose.
    """
    members.lock(session, member)
    forgotten = forgetting.forget(session, member, memory_id, now=now, actor_id=actor_id)
    if forgotten is None:
        return False
    erasing.erase(session, member.guild_id, forgotten.message_ids)
    erasing.erase_answers_about(session, member, since=forgotten.said_at)
    members.note_erasure(session, member.guild_id)
    members.refresh_profile(session, member, profile.remaining, now)
    return True


def forget_all(session: Session, member: Member, now: datetime) -> int:
    """Erase all that a member said and all that is known of them, but not what they chose; returns
    how many memories went."""
    members.lock(session, member)
    count = _erase(session, member, now, Erasing.SAID)
    histories.note(session, member, histories.FORGOT_EVERYTHING, now, member.user_id)
    return count


def choose(
    session: Session,
    member: Member,
    choice: Consent | None,
    *,
    passive: bool | None,
    write_policy: WritePolicy,
    now: datetime,
) -> None:
    """Store a member's choice of consent and whether they let themselves be overheard, and let what
    is stored obey it; None leaves a choice as it is."""
    members.lock(session, member)
    if choice is not None and choice is not members.choices(session, member).consent:
        members.set_consent(session, member, choice)
        histories.note(session, member, f"consent {choice}", now, member.user_id)
    if choice is Consent.OFF:
        _erase(session, member, now, Erasing.OFF)
    elif choice is Consent.TEMPORARY:
        _note(session, Erasing.SHORTER, member, now)
        lifetimes.shorten(session, member, LONGEST_TEMPORARY, now=now)
        members.refresh_profile(session, member, profile.remaining, now)
    elif choice is Consent.LASTING:
        own = policy.in_force(policies.load(session, member.guild_id), write_policy)
        kinds = [kind for kind in PERMANENT_KINDS if kind not in own.longest_days]
        lifetimes.prolong(session, member, LONGEST_TEMPORARY, kinds, now=now)
    opt_in = False if choice is Consent.OFF else passive
    if opt_in is not None:
        members.set_passive(session, member, opt_in=opt_in)
    if opt_in is False and choice is not Consent.OFF:
        _note(session, Erasing.UNHEARD, member, now)


def reset(session: Session, guild_id: int, channel_id: int, now: datetime) -> None:
    """Begin a channel's working memory anew, and let its open chapter go."""
    ledger.note(session, Erasure(now, Erasing.CHAPTER, guild_id, channel_id=channel_id))
    events.reset_working_memory(session, guild_id, channel_id)
    episodes.drop_open(session, (guild_id, channel_id))
    members.note_erasure(session, guild_id)


def _erase(session: Session, member: Member, now: datetime, kind: Erasing) -> int:
    """Erase all that is stored of a member's words; returns how many memories went."""
    _note(session, kind, member, now)
    count = forgetting.forget_all(session, member, now=now)
    erasing.erase_member(session, member)
    watching.erase_member(session, member)
    alert_acts.erase_member(session, member)
    account_links.erase(session, member)
    members.note_erasure(session, member.guild_id)
    members.save_profile(session, member, profile.render([]))
    return count


def _note(session: Session, kind: Erasing, member: Member, now: datetime) -> None:
    ledger.note(session, Erasure(now, kind, member.guild_id, member.user_id))
