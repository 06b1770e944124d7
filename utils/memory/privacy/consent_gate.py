"""Who allows what: may an event or an answer be stored, and which unsaved turns be shown?

Units of work, except :func:`turns_with_member` and :func:`told_openly`, which are pure.
"""

from collections.abc import Sequence, Set
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from utils.database.admin import history_import
from utils.database.core.engine import Connection
from utils.database.erasure import answer_removals, confidences
from utils.database.erasure.inventory import NO_WORDS
from utils.database.memories import members
from utils.database.messages import answer_sources, changes, events
from utils.memory.policy import write_policy as policy
from utils.models.memory import SERVER_USER_ID, Consent, Event, Member, RecordOutcome, Role
from utils.models.provenance import SourceKind, SourceRef, SourceRole
from utils.nlp.confidential import (
    is_bare_request,
    is_confidential,
    named_texts,
    owners_of,
    with_owners,
)
from utils.nlp.stemming import stems

DISCORD_EPOCH_MS = 1_420_070_400_000
LATE = timedelta(seconds=2)


def consenting_member(connection: Connection, event: Event) -> Member | None:
    """Return the member whose consent an event needs: its author, or the one Kith answers.

    None if Kith answers a question that is not stored: then the answer is not stored either.
    """
    if event.role is Role.MEMBER or event.reply_to_id is None:
        return event.member
    asker_id = events.author_of(connection, event.guild_id, event.reply_to_id)
    return None if asker_id is None else Member(event.guild_id, asker_id)


def locked_consent(connection: Connection, event: Event, member: Member) -> Consent:
    """Return the consent under which an event may be stored, and lock it until the commit.

    An opt-out either commits first and is seen here, or commits later and erases the event.
    """
    user_ids = {member.user_id, *event.about_ids}
    is_new_member = not members.lock_existing(
        connection, event.guild_id, user_ids - {SERVER_USER_ID}
    )
    consents = members.effective_consents(connection, event.guild_id, user_ids)
    consent = consents[member.user_id]
    # An answer of Kith's may repeat words of those it is about.
    repeats_opted_out_member = event.role is Role.KITH and Consent.OFF in consents.values()
    if consent is Consent.OFF or repeats_opted_out_member:
        return Consent.OFF
    if is_new_member and event.role is Role.MEMBER:  # without a row there was nothing to lock
        members.lock(connection, member)
        consent = members.effective_consent(connection, member)
    return consent


def is_erased(connection: Connection, event: Event, now: datetime) -> bool:
    """Return whether all of a message's author was erased since they wrote it, or edited it last.

    Looks only for messages that are stored late: another process may have stored, answered and
    erased one meanwhile. A time after ``now`` says nothing: the clock was set back since.
    """
    said_at = max(event.created_at, datetime.fromtimestamp(event.revision / 1000, UTC))
    if now - said_at < LATE:
        return False
    erased_until = history_import.erased_until(connection, event.guild_id, [event.author_id])
    return said_at <= erased_until.get(event.author_id, said_at - LATE) <= now


def allowed_turns(connection: Connection, turns: Sequence[Event]) -> list[Event]:
    """Return those of a channel's turns that involve no member with consent off."""
    if not turns:
        return []
    everyone = frozenset[int]().union(*map(_involved_ids, turns))
    consents = members.effective_consents(connection, turns[0].guild_id, everyone)
    opted_out = {user_id for user_id, consent in consents.items() if consent is Consent.OFF}
    return [turn for turn in turns if opted_out.isdisjoint(_involved_ids(turn))]


def turns_with_member(member: Member, turns: Sequence[Event]) -> list[Event]:
    """Return a member's own turns and Kith's answers to them."""
    own_ids = {turn.message_id for turn in turns if turn.is_by(member)}
    return [turn for turn in turns if turn.is_by(member) or turn.reply_to_id in own_ids]


def told_openly(turns: Sequence[Event], asker_id: int = 0) -> list[Event]:
    """Return a channel's turns without what others than ``asker_id`` asked to be kept secret.

    Kith's answers that rest on it are left out too.
    """
    secret_ids: set[int] = set()
    last_told: dict[int, int] = {}
    for place, turn in enumerate(turns):
        if turn.role is not Role.MEMBER or turn.author_id == asker_id:
            continue
        if is_confidential(turn.text, turn.stems):
            secret_ids.add(turn.message_id)
            secret_ids |= named_texts(
                turn.text,
                {
                    told.message_id: " ".join(stems(told.text))
                    for told in turns[:place]
                    if told.member == turn.member
                },
            )
        if not is_bare_request(turn.text):
            last_told[turn.author_id] = turn.message_id
        elif turn.author_id in last_told:  # the turn may not be stored, and so has no mark
            secret_ids.add(last_told[turn.author_id])
    return [
        turn
        for turn in turns
        if turn.message_id not in secret_ids
        and (turn.role is Role.MEMBER or not _rests_on(turn, secret_ids, asker_id))
    ]


def _rests_on(answer: Event, secret_ids: Set[int], asker_id: int) -> bool:
    """Whether one of Kith's answers rests on confidences of others than the asker."""
    source_ids = {ref.id for ref in answer.provenance.sources if ref.kind is SourceKind.MESSAGE}
    return not (
        secret_ids.isdisjoint({answer.reply_to_id or 0, *source_ids})
        and owners_of(answer.stems) <= {asker_id}
    )


def _involved_ids(turn: Event) -> frozenset[int]:
    """Return whose words a turn may repeat: its author's, or those Kith's answer was made with."""
    if turn.role is Role.MEMBER:
        return frozenset({turn.author_id})
    return turn.repeated_ids - {SERVER_USER_ID}


def store_answer(
    connection: Connection, answer: Event, now: datetime, *, is_ephemeral: bool = False
) -> tuple[RecordOutcome, frozenset[int]]:
    """Store an answer as consent allows, until the first of what it rests on expires.

    Returns whose confidences it rests on, after STORED, KNOWN, or:

    - UNSTORED if consent forbids its text, or it is ``is_ephemeral``: it repeats words that may not
      be stored. Its id is stored without the text if the message that it answers is stored, or it
      repeats words of others that are, so that it is deleted on Discord when those are erased.
    - RETRACTED if something in its prompt was erased since. It is not stored, but queued to be
      deleted on Discord.
    """
    refs, ends_at = answer_sources.resolve(connection, answer, policy.MAX_TEMPORARY)
    people = answer_sources.people_in(connection, answer.guild_id, refs)
    answer = replace(answer, about_ids=tuple(dict.fromkeys((*answer.about_ids, *sorted(people)))))
    member = consenting_member(connection, answer)
    if member is None:
        members.lock_existing(connection, answer.guild_id, {*answer.about_ids} - {SERVER_USER_ID})
    consent = Consent.OFF if member is None else locked_consent(connection, answer, member)
    if answer_sources.is_any_erased(connection, answer, refs) or _is_author_erased(
        connection, answer, now
    ):
        post = (answer.channel_id, answer.message_id)
        answer_removals.queue(connection, answer.guild_id, [post], now)
        return RecordOutcome.RETRACTED, frozenset()
    owners = confidences.confided_by(connection, answer, refs)
    is_stored = consent is not Consent.OFF and not is_ephemeral
    if not is_stored:
        refs, consent = _made_from(connection, answer, refs, member), Consent.TEMPORARY
        if not refs:
            return RecordOutcome.UNSTORED, owners
        people = answer_sources.people_in(connection, answer.guild_id, refs)
        answer = replace(answer, reply_to_id=None, about_ids=tuple(sorted(people)))
    answer = replace(answer, stems=with_owners(answer.stems, owners))
    expires_at = policy.event_end(answer.created_at, consent)
    if ends_at is not None:
        expires_at = min(expires_at, ends_at)
    is_new = events.insert(connection, answer, expires_at, values={} if is_stored else NO_WORDS)
    if is_new:
        answer_sources.store(connection, answer, refs)
    return RecordOutcome(is_new) if is_stored else RecordOutcome.UNSTORED, owners


def _is_author_erased(connection: Connection, answer: Event, now: datetime) -> bool:
    """Whether an author of messages in an answer's prompt had everything erased since they wrote.

    Another process may have carried that out, which cannot cancel this process's answer. A time
    after ``now`` says nothing: the clock was set back since.
    """
    author_ids = {
        ref.id: ref.user_id
        for ref in answer.provenance.sources
        if ref.kind is SourceKind.MESSAGE and ref.role is not SourceRole.INHERITED
    }
    for message_id in changes.stored_ids(connection, answer.guild_id, author_ids, with_text=True):
        del author_ids[message_id]
    erased_at = history_import.last_erased(connection, answer.guild_id, {*author_ids.values()})
    return any(
        user_id in erased_at
        and (message_id >> 22) + DISCORD_EPOCH_MS < erased_at[user_id].timestamp() * 1000
        and erased_at[user_id] <= now
        for message_id, user_id in author_ids.items()
    )


def _made_from(
    connection: Connection, answer: Event, refs: Sequence[SourceRef], asker: Member | None
) -> list[SourceRef]:
    """Return those stored sources from which an answer was made: recalled for it, or repeated.

    Also the message of ``asker`` that it answers, if that is stored.
    """
    words = frozenset(stems(answer.text))
    asked = SourceRef(
        SourceKind.MESSAGE, answer.reply_to_id or 0, user_id=0 if asker is None else asker.user_id
    )
    by_key = {(ref.kind, ref.id): ref for ref in (*refs, asked)}
    sources = answer_sources.load(connection, answer.guild_id, by_key)

    def is_used(ref: SourceRef) -> bool:
        repeats = not words.isdisjoint(sources[ref.kind, ref.id].stems)
        return ref.role is SourceRole.RECALLED or repeats

    return [ref for key, ref in by_key.items() if key in sources and is_used(ref)]
