"""Store Kith's answers with what they rest on. A unit of work."""

from dataclasses import replace
from datetime import datetime, timedelta

from utils.database.core.engine import Connection
from utils.database.erasure import answer_removals
from utils.database.messages import answer_sources, events
from utils.memory.policy import write_policy as policy
from utils.memory.privacy import consent_gate
from utils.models.memory import Consent, Event, RecordOutcome

MAX_TEMPORARY = timedelta(days=policy.TEMPORARY_DAYS)


def store(connection: Connection, answer: Event, now: datetime) -> RecordOutcome:
    """Store an answer as consent allows; it ends with the first of what it rests on.

    RETRACTED if something in its prompt was erased since: then it is not stored, and is queued
    to be deleted on Discord.
    """
    refs, ends_at = answer_sources.resolve(connection, answer, MAX_TEMPORARY)
    owner_ids = (ref.user_id for ref in refs if ref.user_id)
    answer = replace(answer, about_ids=tuple(dict.fromkeys((*answer.about_ids, *owner_ids))))
    member = consent_gate.consenting_member(connection, answer)
    if member is None:
        consent = Consent.OFF
    else:
        consent = consent_gate.locked_consent(connection, answer, member)
    if answer_sources.is_any_erased(connection, answer, refs):
        post = (answer.channel_id, answer.message_id)
        answer_removals.queue(connection, answer.guild_id, [post], now)
        return RecordOutcome.RETRACTED
    if consent is Consent.OFF:
        return RecordOutcome.UNSTORED
    expires_at = policy.event_end(answer.created_at, consent)
    if ends_at is not None:
        expires_at = min(expires_at, ends_at)
    is_new = events.insert(connection, answer, expires_at)
    if is_new:
        answer_sources.store(connection, answer, refs)
    return RecordOutcome(is_new)
