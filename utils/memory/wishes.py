"""What a member's own wish makes of their memory, and the sentence when it cannot be. Pure."""

import math
import re
from dataclasses import replace
from datetime import datetime, timedelta

from utils.errors import BadInput
from utils.memory import policy, profile
from utils.memory.categories import Category
from utils.memory.cited import own_words
from utils.memory.decide import search_stems
from utils.memory.grounding import Refused, ground
from utils.memory.heard import Heard
from utils.memory.safety import refusal_reason
from utils.model.memory import (
    MEMORY_LIMIT,
    Audience,
    Candidate,
    Consent,
    Event,
    Evidence,
    Extraction,
    Importance,
    Kind,
    Member,
    MemberState,
    Memory,
    Method,
    Profile,
    Role,
    Source,
    Status,
)
from utils.model.plan import NewMemory, Plan
from utils.model.policy import WriteMode, WritePolicy
from utils.model.transfer import BY_COMMAND, Statement
from utils.text import clean, clip, one_line, utf16_length

DAY = timedelta(days=1)
NO_WORDS = "There are no words in it that I could keep."
TOO_LONG = f"That is too long: one memory has at most {MEMORY_LIMIT} characters."
NOT_YOURS = "I only remember what you said yourself; choose a message of your own."
SAME = "That is what I remember already."
# By reason, as grounding, safety and deciding name them.
SENTENCES = {
    "consent": "I store nothing about you here; `/memory consent` changes that.",
    "frozen": "The moderators have frozen my memory here; nothing can be added or changed now.",
    "read-only": "My operator lets me write nothing down at the moment; please try again later.",
    "session limit": "That is a lot at once; please ask me again in half an hour.",
    "hour limit": "That is a lot for one hour; please ask me again later.",
    "ignored": "The moderators asked me to note nothing of you here.",
    "forgotten": "You had me forget what that message taught me; say it anew if I should know it.",
    "modality": "That does not sound meant in earnest, so I don't keep it.",
    "subject": "I only keep what you say about yourself.",
    "empty": NO_WORDS,
    "quote": "I don't find that in your own words in the message, so I don't keep it.",
    "unsupported": "I don't find that in your own words in the message, so I don't keep it.",
    "repeated": "I remember that already.",
    "cap": "My room for memories of you is full; let me forget something first.",
    "secret": "I never keep passwords, keys, or numbers that should stay private.",
    "contact": "I never keep contact data such as e-mail addresses and phone numbers.",
    "address": "I never keep street addresses.",
    "link": "I never keep links.",
    "order": "I don't keep what reads like instructions to me.",
    "location": "I never keep precise locations.",
    "minors": "I never keep anything about minors.",
}
TABOO = "I don't keep anything about {}."
OTHER_REASON = "I can't keep that right now; please try again later."
TABOOS = frozenset({"health", "religion", "politics", "sexuality", "ethnicity", "crime"})

_OF_ONESELF = re.compile(r"\b(?:i|i['’]m|i['’]ve|my|mine|me|ich|mein\w*|je|mon|ma|yo|mi)\b", re.I)
_PRONOUN = re.compile(r"\W*(?:he|she|he['’]s|she['’]s|his|her)\b", re.I)
_SOMEBODY = re.compile(
    r"\W*(?:@\w+\W+)?([A-Z][\w'’-]*)(?:\s+[A-Z][\w'’-]*)?\s+(?:is|was)\s+(?:an?|the|so|such)\b"
    r"|\W*(?:@\w+\W+)?([A-Z][\w'’-]*)(?:\s+[A-Z][\w'’-]*)?\s+(?:has|had|lives|works|loves|likes|"
    r"hates|plays|moved|owns|wants|prefers|studies|says|said|stole|lied|lies|cheats|cheated)\b"
)


class NotKept(BadInput):
    """What a person wants kept is not; ``reason`` is that for the counts."""

    def __init__(self, sentence: str, reason: str) -> None:
        super().__init__(sentence)
        self.reason = reason


def refusal(reason: str) -> NotKept:
    """Return the error that tells a person why something is not kept."""
    if reason in TABOOS:
        return NotKept(TABOO.format(reason), reason)
    return NotKept(SENTENCES.get(reason, OTHER_REASON), reason)


def as_told(member: Member, event: Event, text: str) -> Extraction:
    """Return what a member asks to have remembered of their message, as the one candidate.

    Raises BadInput when it is not theirs, has no words, or too many.
    """
    if event.role is not Role.MEMBER or event.member != member:
        raise BadInput(NOT_YOURS)
    candidate = Candidate(
        subject_id=member.user_id,
        text=_kept(own_words(text)),
        quote=clip(one_line(own_words(event.text)), MEMORY_LIMIT, at_word=True),
        kind=Kind.FACT,
        importance=Importance.HIGH,
        confidence=1.0,
        lifetime_days=None,
        source=Source.EXPLICIT,
    )
    return Extraction((candidate,), Method.EXPLICIT)


def heard(event: Event, audience: Audience | None, forbidden: frozenset[Category]) -> Heard:
    """Return where a message was said; without an audience, only its own readers know of it."""
    here = frozenset({event.source_id})
    if audience is None:
        return Heard(here, forbidden=forbidden)
    around = audience.sources - here - {event.channel_id}
    opened = around | here if audience.is_open else around
    return Heard(audience.sources | here, opened, forbidden=forbidden)


def correction(
    state: MemberState,
    *,
    memory_id: int,
    said: Statement,
    write_policy: WritePolicy,
    forbidden: frozenset[Category],
) -> Plan:
    """Return the plan that puts a member's words in the place of one of their current rows.

    The new row lives as long as the old one would have from now on. What was typed is told where
    that was, and takes its place in the profile. What was said in a message must follow from it,
    is told where it was said, is no surer than the old one, and takes that place only if everybody
    can read it there. Raises BadInput when it may not be kept.
    """
    (old,) = (row for row in state.rows if row.id == memory_id)
    text = _allowed(state, old, said, forbidden)
    channel_id, may_enter = old.channel_id, True
    if said.message is not None:
        around = heard(said.message, said.audience, forbidden)
        channel_id = _grounded(text, state, said.message, around).source_id
        may_enter = channel_id in around.open_sources
    rules = policy.in_force(state.policy, write_policy)
    new = NewMemory(
        text=text,
        topics=old.topics,
        importance=old.importance,
        kind=old.kind,
        fact_key=old.fact_key,
        source=Source.EXPLICIT,
        status=_status(old, rules),
        confidence=1.0 if said.message is None else old.confidence,
        channel_id=channel_id,
        stems=search_stems(text, "", ""),
        expires_at=_as_long_as(old, state, rules),
        evidence=Evidence(
            message_id=said.interaction_id,
            channel_id=said.channel_id,
            quote=text,
            method=Method.EXPLICIT,
            said_at=state.now,
            model=BY_COMMAND if said.message is None else "",
        ),
        supersedes=old.id,
    )
    return _in_the_place_of(old, new, state, may_enter=may_enter)


def _as_long_as(old: Memory, state: MemberState, rules: WritePolicy) -> datetime | None:
    """Return when what takes a row's place ends: it lives as long, from now on."""
    lifetime = None
    if old.expires_at is not None:
        lifetime = math.ceil((old.expires_at - old.last_confirmed_at) / DAY)
    return policy.memory_end(old.kind, lifetime, state.now, state.consent, rules.longest_days)


def _in_the_place_of(old: Memory, new: NewMemory, state: MemberState, *, may_enter: bool) -> Plan:
    """Return the plan that exchanges two rows, in the profile as well if the new one may enter."""
    left = [row for row in state.rows if row.id != old.id]
    twin = replace(old, id=-1, text=new.text)
    paragraph = exchanged(state.profile, {old.id}, {-1} if may_enter else set(), [*left, twin])
    if paragraph is None:
        return Plan(inserts=(new,))
    return Plan(
        inserts=(new,),
        profile=replace(paragraph, row_ids=tuple(one for one in paragraph.row_ids if one > 0)),
        profile_inserts=(0,) if -1 in paragraph.row_ids else (),
    )


def exchanged(stored: Profile, out: set[int], into: set[int], rows: list[Memory]) -> Profile | None:
    """Return the paragraph with rows in the place of others; None when it stays as it is.

    Only what takes a place in it enters it: what was not told to everybody still is not.
    """
    named = set(stored.row_ids)
    if not named & out:
        return None
    wanted = (named - out) | into
    return profile.render(row for row in rows if row.id in wanted)


def _status(old: Memory, rules: WritePolicy) -> Status:
    """Return what the server makes of new words: nobody passes its moderators by a correction."""
    if rules.mode is WriteMode.MANUAL or old.kind in rules.approve_kinds:
        return Status.PROPOSED
    return Status.SHADOW if rules.mode is WriteMode.SHADOW else old.status


def _allowed(
    state: MemberState, old: Memory, said: Statement, forbidden: frozenset[Category]
) -> str:
    """Return the words of a correction as they are kept. Raises BadInput otherwise."""
    if state.consent is Consent.OFF:
        raise refusal("consent")
    if state.frozen:
        raise refusal("frozen")
    if state.ignored:
        raise refusal("ignored")
    text = _kept(said.text)
    reason = refusal_reason(text, forbidden)
    if reason is not None:
        raise refusal(reason)
    if text == old.text:
        raise BadInput(SAME)
    if _names_somebody_else(text, f"{said.author_name} {old.text}"):
        raise refusal("subject")
    return text


def _grounded(text: str, state: MemberState, message: Event, around: Heard) -> Event:
    """Return the message that a correction follows from. Raises BadInput otherwise."""
    if not state.events:  # it was deleted meanwhile
        raise refusal("forgotten")
    (candidate,) = as_told(state.member, message, text).candidates
    try:
        return ground(candidate, state, around)
    except Refused as refused:
        raise refusal(refused.reason) from None


def _names_somebody_else(text: str, known: str) -> bool:
    """Whether a correction begins with a person who is neither its author nor in what it corrects.

    A note has no subject of its own ("lives in Rome"), so its beginning tells.
    """
    if _OF_ONESELF.search(text):
        return False
    if _PRONOUN.match(text):
        return True
    found = _SOMEBODY.match(text)
    return found is not None and (found[1] or found[2]).casefold() not in known.casefold()


def _kept(text: str) -> str:
    """Return a text as one clean line. Raises BadInput if it is none, or too long."""
    line = one_line(clean(text))
    if not any(map(str.isalnum, line)):
        raise BadInput(NO_WORDS)
    if utf16_length(line) > MEMORY_LIMIT:
        raise BadInput(TOO_LONG)
    return line
