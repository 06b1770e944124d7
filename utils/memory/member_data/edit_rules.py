"""Plan explicit requests (remember, correct), and say why one is refused. Pure."""

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo

from utils.common.errors import BadInput
from utils.common.text import clean, clip, one_line, utf16_length
from utils.memory.consolidation import profile
from utils.memory.consolidation.wording import search_stems
from utils.memory.extraction.endings import last_day
from utils.memory.policy import write_policy as policy
from utils.memory.policy.categories import Category
from utils.memory.policy.write_policy import WriteRules
from utils.memory.safety.filter import refusal_reason
from utils.memory.verification.candidate_verifier import ExtractedNotes
from utils.memory.verification.checks import Refused, check
from utils.memory.verification.extraction_context import ExtractionContext
from utils.memory.verification.note_text import unfit
from utils.memory.verification.sentences import holds, normalised, with_titles
from utils.models.episode import LOOP_LIMIT
from utils.models.extraction import (
    NO_VERDICT,
    Burst,
    Candidate,
    Extraction,
    ExtractionInput,
    Verdict,
)
from utils.models.memory import (
    MEMORY_LIMIT,
    Audience,
    Consent,
    Event,
    Evidence,
    Form,
    Importance,
    Kind,
    Member,
    Memory,
    Method,
    Profile,
    Role,
    Source,
    Status,
)
from utils.models.plan import MemberState, NewMemory, Plan
from utils.models.policy import WriteMode, WritePolicy
from utils.models.transfer import BY_AGENT, BY_COMMAND, Statement
from utils.nlp.confidential import with_mark
from utils.nlp.person_and_negation import has_first_person

DAY = timedelta(days=1)
NO_WORDS = "There are no words in it that I could keep."
TOO_LONG = f"That is too long: one memory has at most {MEMORY_LIMIT} characters."
NOT_YOURS = "I only remember what you said yourself; choose a message of your own."
SAME = "That is what I remember already."
TRUSTED = "Thank you for trusting me with that."
# By the reasons of the checks, the safety filter, the verifier and the plan.
SENTENCES = {
    "consent": "I store nothing about you here; `/memory consent` changes that.",
    "frozen": "The moderators have frozen my memory here; nothing can be added or changed now.",
    "read-only": "My operator lets me write nothing down at the moment; please try again later.",
    "ignored": "The moderators asked me to note nothing about you here.",
    "forgotten": "You had me forget what that message taught me; say it anew if I should know it.",
    "other": "That does not sound like something about yourself, in earnest, so I don't keep it.",
    "about another": "I only keep what you say about yourself.",
    "names another": "I don't keep that, as it names somebody else here.",
    "subject": "I only keep what you say about yourself.",
    "quote": "I don't find that in your own words in the message, so I don't keep it.",
    "unsupported": "I don't find that in your own words in the message, so I don't keep it.",
    "repeated": "I remember that already.",
    "over limit": "That is a lot for one hour; please try again later.",
    "cap": "My room for memories of you is full; let me forget something first.",
    "secret": "I never note passwords, keys, or numbers that should stay private.",
    "contact": "I never note contact details such as e-mail addresses and phone numbers.",
    "address": "I never note street addresses.",
    "link": "I never note links.",
    "kind": "The moderators chose that I learn nothing of this kind here.",
    "order": "I don't keep what reads like instructions to me.",
    "role": "I note no roles or rights: those are Discord's.",
    "form": "I don't keep that: it looks like a message or a ping.",
    "location": "I never note precise locations.",
    "minors": "I never note anything about minors.",
    "health": f"{TRUSTED} I make no notes about health.",
    "religion": f"{TRUSTED} I make no notes about religion.",
    "politics": f"{TRUSTED} I make no notes about politics.",
    "sexuality": f"{TRUSTED} I make no notes about sexuality.",
    "ethnicity": f"{TRUSTED} I make no notes about ethnicity.",
    "crime": f"{TRUSTED} I make no notes about crime.",
}
TOO_LATE = {
    Consent.TEMPORARY: (
        "I forget what you say here after 30 days, so that is too late for me; `/memory consent` "
        "changes that."
    ),
    Consent.LASTING: "That is too far away: I keep messages for a year at most.",
}
OTHER_REASON = "I can't keep that right now; please try again later."


class NotStored(BadInput):
    """A request to store something is refused; ``reason`` is for the metrics."""

    def __init__(self, sentence: str, reason: str) -> None:
        super().__init__(sentence)
        self.reason = reason


def refusal(reason: str) -> NotStored:
    """Return the error with the sentence for a reason."""
    return NotStored(SENTENCES.get(reason, OTHER_REASON), reason)


def require_writable(rules: WriteRules) -> None:
    """Raise NotStored if memory is read-only."""
    if rules.read_only:
        raise refusal("read-only")


def check_writable(state: MemberState) -> None:
    """Raise NotStored if nothing may be stored of a member."""
    if state.refusal is not None:
        raise refusal(state.refusal)


def check_safe(text: str, forbidden: frozenset[Category]) -> None:
    """Raise NotStored if the safety filter refuses a text."""
    reason = refusal_reason(text, forbidden)
    if reason is not None:
        raise refusal(reason)


def loop_text(words: str, forbidden: frozenset[Category], too_long: str) -> str:
    """Return the text of an open loop as it is stored.

    Raises BadInput if it is empty, unsafe or too long; ``too_long`` is the sentence for that.
    """
    text = _clean_line(words, LOOP_LIMIT, too_long)
    check_safe(text, forbidden)
    return text


def last_time(said_at: datetime, due_at: datetime, consent: Consent) -> datetime:
    """Return when what was said for a later time ends. Raises BadInput if that is before then."""
    if consent is Consent.OFF:
        raise refusal("consent")
    last = policy.event_end(said_at, consent)
    if due_at >= last:
        raise BadInput(TOO_LATE[consent])
    return last


def explicit_request(
    member: Member,
    event: Event,
    text: str,
    context: ExtractionContext,
    *,
    rows: Sequence[Memory] = (),
    is_note: bool = False,
    replaces: int | None = None,
    verdict: Verdict = NO_VERDICT,
) -> ExtractedNotes:
    """Return what a member asks to remember from a message of theirs, ready to be verified.

    ``text`` that only repeats the message is no note (unless it must be one: ``is_note``): the
    sentence is kept as a quote. Raises BadInput if the message is not theirs, or the text is empty
    or too long.

    Args:
        context: of the message.
        rows: the member's memories.
        replaces: the memory that it corrects.
        verdict: without one, it is verified.
    """
    if event.role is not Role.MEMBER or event.member != member:
        raise BadInput(NOT_YOURS)
    own_text = with_titles(event.text)
    note = _clean_line(with_titles(text))
    is_raw = holds(normalised(own_text), normalised(note)) and has_first_person(note)
    candidate = Candidate(
        subject_id=member.user_id,
        text="" if is_raw and not is_note else note,
        quote=clip(one_line(own_text), MEMORY_LIMIT, at_word=True),
        kind=Kind.FACT,
        importance=Importance.HIGH,
        lifetime_days=None,
        source=Source.EXPLICIT,
        replaces=replaces,
        verdict=verdict,
    )
    inputs = ExtractionInput(
        Burst(event.member, event.channel_id, (event,)), context.time_zone, rows=tuple(rows)
    )
    return ExtractedNotes(Extraction((candidate,), Method.EXPLICIT), inputs, context)


def verdict_on(judged: Extraction) -> Verdict:
    """Return the verdict on a request. Raises NotStored if a check refused it."""
    for reason in judged.refused:
        raise refusal(reason)
    return judged.candidates[0].verdict


def extraction_context(
    event: Event, audience: Audience | None, forbidden: frozenset[Category]
) -> ExtractionContext:
    """Return the context of a message; without an audience, only its own channel can see it."""
    own_source = frozenset({event.source_id})
    if audience is None:
        return ExtractionContext(own_source, forbidden=forbidden)
    sources = audience.sources | own_source
    open_sources = sources if audience.is_open else frozenset[int]()
    return ExtractionContext(sources, open_sources, forbidden=forbidden)


def plan_correction(
    state: MemberState,
    *,
    memory_id: int,
    statement: Statement,
    verdict: Verdict,
    write_policy: WritePolicy,
    forbidden: frozenset[Category],
    zone: tzinfo,
) -> Plan:
    """Return the plan that replaces a member's current memory by their own words.

    The new memory is a note. It ends as :func:`_new_end` says. Typed words are
    visible where the old memory was, and replace it in the profile. Words from a message were
    verified before (``verdict``), and are visible where it was written. They get the old
    confidence, and enter the profile only if everyone can read that channel. A correction that
    waits for approval replaces the old memory when it is approved. Raises BadInput if the words may
    not be stored, or if too much was written in the last hour.
    """
    (old,) = (row for row in state.rows if row.id == memory_id)
    check_writable(state)
    text = _clean_line(statement.text)
    check_safe(text, forbidden)
    if text == old.text:
        raise BadInput(SAME)
    channel_id, may_enter = old.channel_id, True
    if statement.message is not None:
        context = extraction_context(statement.message, statement.audience, forbidden)
        channel_id = _supporting_message(text, state, statement.message, context).source_id
        may_enter = channel_id in context.open_sources
    rules = policy.in_force(state.policy, write_policy)
    if state.writes.in_hour >= rules.writes_per_hour:  # a session's limit is for what is overheard
        raise refusal("over limit")
    # A correction must not bypass the moderators' approval.
    status = Status.SHADOW if rules.mode is WriteMode.SHADOW else old.status
    if rules.mode is WriteMode.MANUAL or old.kind in rules.approve_kinds:
        status = Status.PROPOSED
    is_waiting = old.status is Status.ACTIVE and status is not Status.ACTIVE
    new = NewMemory(
        text=text,
        topics=old.topics,
        importance=old.importance,
        kind=old.kind if old.form is Form.NOTE else Kind.FACT,
        fact_key=old.fact_key,
        source=Source.EXPLICIT,
        status=status,
        confidence=policy.VERIFIED_CONFIDENCE[verdict.by]
        if statement.message is None or old.form is Form.QUOTE
        else old.confidence,
        channel_id=channel_id,
        stems=with_mark(search_stems(text, ""), old.stems),
        expires_at=_new_end(old, text, state, rules, zone),
        evidence=replace(
            _evidence(text, statement.channel_id, verdict, state.now),
            message_id=statement.interaction_id,
            model=BY_COMMAND if statement.message is None else "",
        ),
        supersedes=None if is_waiting else old.id,
        corrects=old.id if is_waiting else state.corrected.get(old.id),
    )
    if is_waiting:
        return Plan(inserts=(new,))
    return plan_replacement(old, new, state, may_enter=may_enter)


def plan_statement(
    state: MemberState,
    *,
    channel_id: int,
    text: str,
    verdict: Verdict,
    write_policy: WritePolicy,
    forbidden: frozenset[Category],
) -> Plan:
    """Return the plan that adds what an agent says for a member, for a channel's readers.

    These are not the member's own words: it is less certain, and does not enter the profile. Raises
    BadInput as :func:`plan_correction` does, and if there is no room.
    """
    check_writable(state)
    text = _clean_line(text)
    check_safe(text, forbidden)
    rules = policy.in_force(state.policy, write_policy)
    if Kind.FACT in rules.refused_kinds:
        raise refusal("kind")
    if any(row.text == text for row in state.rows):
        raise refusal("repeated")
    if state.writes.in_hour >= rules.writes_per_hour:
        raise refusal("over limit")
    if len(state.rows) >= rules.cap:
        raise refusal("cap")
    waits = rules.mode is WriteMode.MANUAL or Kind.FACT in rules.approve_kinds
    may_use = Status.SHADOW if rules.mode is WriteMode.SHADOW else Status.ACTIVE
    new = NewMemory(
        text=text,
        topics=(),
        importance=Importance.MEDIUM,
        kind=Kind.FACT,
        fact_key="",
        source=Source.EXPLICIT,
        status=Status.PROPOSED if waits else may_use,
        confidence=policy.starting_confidence(verdict.by, Source.EXPLICIT, is_attached=True),
        channel_id=channel_id,
        stems=search_stems(text, ""),
        expires_at=policy.memory_end(Kind.FACT, None, state.now, state.consent, rules.longest_days),
        evidence=_evidence(text, channel_id, verdict, state.now),
    )
    return Plan(inserts=(new,))


def _evidence(text: str, channel_id: int, verdict: Verdict, now: datetime) -> Evidence:
    """Return the evidence of what an agent says; there is no message."""
    return Evidence(
        message_id=0,
        channel_id=channel_id,
        quote=text,
        method=Method.EXPLICIT,
        said_at=now,
        model=BY_AGENT,
        verified_by=verdict.by,
        verifier_model=verdict.model,
        verifier_hash=verdict.prompt_hash,
    )


def _new_end(
    old: Memory, text: str, state: MemberState, rules: WritePolicy, zone: tzinfo
) -> datetime | None:
    """Return when a replacement ends.

    A plan ends after the day that it names now, else with the plan that it replaces. Anything else
    gets the old memory's lifetime, counted from now. What replaces a quote is a fact.
    """
    kind, lifetime, until = old.kind if old.form is Form.NOTE else Kind.FACT, None, None
    if (day := last_day(text, state.now, zone)) is not None:
        until = policy.end_of_day(day, zone, further_days=1)
    elif kind is Kind.TASK or last_day(old.text, old.last_confirmed_at, zone) is not None:
        until = old.expires_at
    elif old.expires_at is not None and old.form is Form.NOTE:
        lifetime = math.ceil((old.expires_at - old.last_confirmed_at) / DAY)
    return policy.memory_end(
        kind, lifetime, state.now, state.consent, rules.longest_days, until=until
    )


def plan_replacement(old: Memory, new: NewMemory, state: MemberState, *, may_enter: bool) -> Plan:
    """Return the plan that replaces a memory, in the profile as well if the new one may enter."""
    other_rows = [row for row in state.rows if row.id != old.id]
    replacement = replace(old, id=-1, text=new.text)
    paragraph = replaced_in_profile(
        state.profile, {old.id}, {-1} if may_enter else set(), [*other_rows, replacement]
    )
    if paragraph is None:
        return Plan(inserts=(new,))
    return Plan(
        inserts=(new,),
        profile=replace(paragraph, row_ids=tuple(i for i in paragraph.row_ids if i > 0)),
        profile_inserts=(0,) if -1 in paragraph.row_ids else (),
    )


def replaced_in_profile(
    stored: Profile, out: set[int], into: set[int], rows: list[Memory]
) -> Profile | None:
    """Return the profile with the memories ``out`` replaced by ``into``; None if it has none.

    So a memory enters only in place of another, and nothing private becomes public.
    """
    current_ids = set(stored.row_ids)
    if not current_ids & out:
        return None
    new_ids = (current_ids - out) | into
    return profile.render(row for row in rows if row.id in new_ids)


def _supporting_message(
    text: str, state: MemberState, message: Event, context: ExtractionContext
) -> Event:
    """Return the message that a correction comes from. Raises BadInput if it may not be used."""
    if not state.events:  # it has been deleted
        raise refusal("forgotten")
    (candidate,) = explicit_request(state.member, message, text, context).extraction.candidates
    try:
        checked = check(candidate, state, context)
    except Refused as refused:
        raise refusal(refused.reason) from None
    if reason := unfit(text, checked.sentence, context.names):
        raise refusal(reason)
    return checked.event


def _clean_line(text: str, limit: int = MEMORY_LIMIT, too_long: str = TOO_LONG) -> str:
    """Return a text as one clean line. Raises BadInput if it is empty or too long."""
    line = one_line(clean(text))
    if not any(map(str.isalnum, line)):
        raise BadInput(NO_WORDS)
    if utf16_length(line) > limit:
        raise BadInput(too_long)
    return line
