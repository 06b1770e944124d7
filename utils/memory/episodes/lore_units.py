"""Store stories that were judged, as the server's own memories. Units of work."""

from datetime import datetime

from utils.database.core.engine import Connection
from utils.database.erasure import lore as stored_lore
from utils.database.guilds import settings
from utils.database.memories import members, memories, write_policies
from utils.database.messages import events, summaries
from utils.memory.episodes.lore import Story
from utils.memory.policy import write_policy as policy
from utils.memory.privacy import consent_gate
from utils.models.memory import (
    SERVER_USER_ID,
    Consent,
    Evidence,
    Importance,
    Kind,
    Member,
    Method,
    Source,
    Status,
    VerifiedBy,
)
from utils.models.plan import NewMemory, Plan
from utils.models.policy import WritePolicy
from utils.nlp.stemming import stems

CONFIDENCE = 0.9


def store_story(
    connection: Connection,
    guild_id: int,
    story: Story,
    *,
    write_policy: WritePolicy,
    model: str,
    prompt_hash: str,
    verifier_model: str,
    verifier_hash: str,
    now: datetime,
) -> int | None:
    """Store a story; returns its id if it waits for approval, None otherwise.

    It is not stored if moderators or a teller do not allow it, if one of its messages was edited,
    erased or marked as confidential since, or if it is known already. It expires with the first of
    its messages.
    """
    teller_ids = sorted(event.author_id for event, _ in story.told)
    members.lock_existing(connection, guild_id, teller_ids)
    event_ids = [event.id for event, _ in story.told]
    server = Member(guild_id, SERVER_USER_ID)
    members.lock(connection, server)
    current = settings.load(connection, guild_id)
    message_ids = [event.message_id for event, _ in story.told]
    is_known = bool(stored_lore.of_messages(connection, guild_id, message_ids)) or any(
        set(stems(row.text)) == set(stems(story.text))
        for row in memories.load_current(connection, server, now)
    )
    existing = consent_gate.told_openly(events.load_existing(connection, event_ids))
    stored = [(event.id, event.text) for event in existing]
    is_changed = stored != sorted((event.id, event.text) for event, _ in story.told)
    if current.frozen or not current.lore or is_known or is_changed:
        return None
    if not all(_allows(connection, Member(guild_id, user_id)) for user_id in teller_ids):
        return None
    rules = policy.in_force(write_policies.load(connection, guild_id), write_policy)
    status = policy.status_for(Kind.LORE, CONFIDENCE, 1, rules)
    ends_at = _end(connection, event_ids, story, rules)
    if status is None or ends_at is None or ends_at <= now:
        return None
    evidence = [
        Evidence(
            message_id=event.message_id,
            channel_id=event.channel_id,
            quote=quote,
            method=Method.MODEL,
            said_at=event.created_at,
            model=model,
            prompt_hash=prompt_hash,
            verified_by=VerifiedBy.MODEL,
            verifier_model=verifier_model,
            verifier_hash=verifier_hash,
        )
        for event, quote in story.told
    ]
    new = NewMemory(
        text=story.text,
        topics=(),
        importance=Importance.LOW,
        kind=Kind.LORE,
        fact_key="",
        source=Source.CHAT,
        status=status,
        confidence=CONFIDENCE,
        channel_id=story.told[0][0].source_id,
        stems="\n".join([" ".join(stems(story.text)), "", ""]),
        expires_at=ends_at,
        evidence=evidence[0],
    )
    (row_id,) = memories.apply_plan(connection, server, Plan(inserts=(new,)), now=now, actor_id=0)
    memories.add_evidence(connection, server, row_id, evidence[1:])
    members.invalidate_guild(connection, guild_id)
    return row_id if status is Status.PROPOSED else None


def _allows(connection: Connection, teller: Member) -> bool:
    """Whether a teller's words may be kept as a story."""
    consent = members.effective_consent(connection, teller)
    return consent is not Consent.OFF and not members.load_header(connection, teller).ignored


def _end(
    connection: Connection, event_ids: list[int], story: Story, rules: WritePolicy
) -> datetime | None:
    """Return when the first of a story's messages ends, or lore does at the latest."""
    first_said = min(event.created_at for event, _ in story.told)
    by_kind = policy.memory_end(Kind.LORE, None, first_said, Consent.LASTING, rules.longest_days)
    ends = [summaries.earliest_expiry(connection, event_ids), by_kind]
    known = [end for end in ends if end is not None]
    return min(known, default=first_said + policy.MAX_TEMPORARY)
