"""Plan what candidates change in a member's memory: merge, supersede, limit, cap. Pure."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from utils.common.text import clean, clip, clip_topics, one_line
from utils.memory.consolidation import profile
from utils.memory.policy import write_policy as policy
from utils.memory.safety.filter import refusal_reason
from utils.memory.verification.context import ExtractionContext
from utils.memory.verification.grounding import Refused, ground
from utils.memory.verification.lexical_support import negates
from utils.models.memory import (
    MEMORY_LIMIT,
    Candidate,
    Consent,
    Event,
    Evidence,
    Extraction,
    Kind,
    Memory,
    Method,
    Profile,
    Status,
)
from utils.models.plan import Confirmation, MemberState, NewMemory, Plan
from utils.models.policy import WritePolicy
from utils.nlp.stemming import stems

SAME_WORDING = 0.8
_RELATES = re.compile(
    r"\b(?:over|than|to|from|before|after|instead|not|of|by|über|als|statt|von|que|à|de|до|чем|от)\b|"
    r"\d|[^\x00-\u052f]",
    re.IGNORECASE,
)
Grounding = Callable[[Candidate, MemberState, ExtractionContext], Event]
TEXT_STEMS, SOURCE_STEMS, PREVIOUS_STEMS = 60, 40, 40


def plan_changes(
    state: MemberState,
    extraction: Extraction,
    write_policy: WritePolicy,
    context: ExtractionContext,
    grounding: Grounding = ground,
) -> Plan:
    """Return the plan of changes that an extraction makes to a member's memory.

    Args:
        write_policy: the operator's; the server's own, in ``state``, takes precedence.
        grounding: returns the message that supports a candidate, or raises Refused.
    """
    active_policy = policy.in_force(state.policy, write_policy)
    builder = _PlanBuilder(state, extraction, active_policy, context, grounding)
    for candidate in extraction.candidates:
        try:
            builder.add(candidate)
        except Refused as refused:
            builder.refused[refused.reason] += 1
    return builder.plan()


def plan_trim(state: MemberState, cap: int) -> Plan:
    """Return the plan that removes the memories over the cap, and takes them out of the profile.

    ``cap`` is the operator's; the server's own may be lower.
    """
    cap = min(cap, state.policy.cap) if state.policy else cap
    removals = policy.least_valued(list(state.rows), cap, frozenset(state.profile.row_ids))
    rows = [row for row in state.rows if row.id not in removals]
    paragraph = profile.remaining(state.profile, rows)
    return Plan(removals=tuple(removals), profile=None if paragraph is state.profile else paragraph)


def search_stems(text: str, source: str, previous: str) -> str:
    """Return the three lines of stems by which a memory is searched."""
    return "\n".join(
        " ".join(stems(words, limit=limit))
        for words, limit in (
            (text, TEXT_STEMS),
            (source, SOURCE_STEMS),
            (previous, PREVIOUS_STEMS),
        )
    )


def fact_key(attribute: str) -> str:
    """Return an attribute in snake_case, at most 100 UTF-16 units; empty if it has no word."""
    words = re.findall(r"[^\W_]+", clean(attribute).casefold())
    return clip("_".join(words), 100, ellipsis="")


def same_wording(text: str, other_text: str, *, same_attribute: bool) -> bool:
    """Whether two texts say the same: equal stems, or under one attribute one text with more words.

    A negation or a number in only one of them always makes them different.
    """
    if negates(text) != negates(other_text):
        return False
    words, other_words = stems(text), stems(other_text)
    if words == other_words:
        return bool(words) or text.casefold() == other_text.casefold()
    stem_set, other_set = set(words), set(other_words)
    is_reordered = _shared(words, other_set) != _shared(other_words, stem_set)
    if is_reordered and not (same_attribute and stem_set == other_set and _is_order_free(text)):
        return False
    if not same_attribute or any(any(c.isdigit() for c in stem) for stem in stem_set ^ other_set):
        return False
    if stem_set - other_set and other_set - stem_set:  # a word differs: Berlin is not Hamburg
        return False
    return len(stem_set & other_set) >= SAME_WORDING * len(stem_set | other_set)


def _is_order_free(text: str) -> bool:
    """Whether word order does not change the meaning: "speaks fluent Thai", "… Thai fluently".

    It does in comparisons ("tea over coffee") and in texts with two names.
    """
    names = [word for word in text.split()[1:] if word[:1].isupper()]
    return len(names) < 2 and not _RELATES.search(text)


def _shared(words: list[str], other_words: set[str]) -> list[str]:
    """Return the words that the other text has as well, in order and without duplicates."""
    return list(dict.fromkeys(word for word in words if word in other_words))


@dataclass(slots=True)
class _PlanBuilder:
    """Builds a plan candidate by candidate; ``rows`` holds new memories under negative ids."""

    state: MemberState
    extraction: Extraction
    write_policy: WritePolicy
    context: ExtractionContext
    grounding: Grounding
    inserts: dict[int, NewMemory] = field(default_factory=dict)
    confirmations: dict[int, Confirmation] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    rows: dict[int, Memory] = field(init=False)

    def __post_init__(self) -> None:
        self.rows = {row.id: row for row in self.state.rows}
        self.refused.update(self.extraction.refused)

    def add(self, candidate: Candidate) -> None:
        """Add one candidate to the plan. Raises Refused with the reason if it may not be stored."""
        event = self.grounding(candidate, self.state, self.context)
        text = clip(one_line(clean(candidate.text)), MEMORY_LIMIT, at_word=True)
        key = fact_key(candidate.attribute)
        confidence = policy.starting_confidence(candidate, self.extraction.method)
        if event.attachment_texts:  # only an attachment says it
            confidence *= policy.ATTACHMENT_FACTOR
        for row in self._visible_rows():
            corrects = row.id == candidate.replaces
            same_attribute = not corrects and key != "" and row.fact_key == key
            if same_wording(row.text, text, same_attribute=same_attribute):
                if corrects:  # a correction does not raise the confidence
                    raise Refused("repeated")
                self._confirm(row, candidate, event, confidence)
                return
        status = policy.status_for(candidate.kind, confidence, 1, self.write_policy)
        if status is None:
            raise Refused("unsure")
        self._check_limits()
        self._check_age(candidate, event, key)
        self._insert(candidate, event, text, key, confidence, status)

    def _check_age(self, candidate: Candidate, event: Event, key: str) -> None:
        """Refuse a candidate that has expired already, or is older than what it would replace."""
        end = self._end(candidate, candidate.kind, event)
        if end is not None and end <= self.state.now:
            raise Refused("over")
        old = self.rows.get(candidate.replaces) if candidate.replaces else None
        if old is not None and old.fact_key == key and old.last_confirmed_at > event.created_at:
            raise Refused("outdated")

    def _check_limits(self) -> None:
        """Enforce the write limits; imports are exempt."""
        if self.extraction.method is Method.IMPORT:
            return
        new = len(self.inserts)
        if self.state.writes.in_session + new >= self.write_policy.writes_per_session:
            raise Refused("session limit")
        if self.state.writes.in_hour + new >= self.write_policy.writes_per_hour:
            raise Refused("hour limit")

    def plan(self) -> Plan:
        """Return the plan, with the cap applied and the profile updated."""
        obsolete: list[int] = []
        removals = policy.least_valued(
            list(self.rows.values()), self.write_policy.cap, frozenset(self.state.profile.row_ids)
        )
        for row_id in removals:
            del self.rows[row_id]
            dropped = self.inserts.pop(row_id, None)
            if dropped is not None:
                self.refused["cap"] += 1
                if dropped.supersedes is not None:  # obsolete anyway
                    obsolete.append(dropped.supersedes)
        order = list(self.inserts)
        paragraph = self._profile()
        return Plan(
            inserts=tuple(self.inserts.values()),
            confirmations=tuple(self.confirmations.values()),
            removals=(*(row_id for row_id in removals if row_id > 0), *obsolete),
            profile=paragraph
            and replace(paragraph, row_ids=tuple(i for i in paragraph.row_ids if i > 0)),
            profile_inserts=tuple(order.index(i) for i in paragraph.row_ids if i < 0)
            if paragraph
            else (),
            refused=self.refused,
        )

    def _profile(self) -> Profile | None:
        """Return the new profile, or None to keep the stored one.

        It is made of memories from channels that everyone can read. If nothing may be written, or
        none of these is visible here, it only loses the memories that are gone.
        """
        stored = self.state.profile
        rows = [row for row in self.rows.values() if row.channel_id in self.context.open_sources]
        is_closed = self.state.frozen or self.state.ignored
        if not rows or self.state.consent is Consent.OFF or is_closed:
            remaining = profile.remaining(stored, self.rows.values())
            return None if remaining is stored else remaining
        proposal = self.extraction.profile_update
        if proposal and self._accepted_all_permanent():
            accepted = profile.accept(proposal, rows, self._member_name())
            if accepted is not None:
                return accepted
        if stored.row_ids and set(stored.row_ids) == {row.id for row in profile.facts(rows)}:
            return None
        rendered = profile.render(rows)
        return None if rendered == stored else rendered

    def _visible_rows(self) -> list[Memory]:
        """Return the memories that this channel's readers may see.

        The same statement from a private channel stays a separate memory. Merging the two would
        hide the public one or reveal the private one.
        """
        return [row for row in self.rows.values() if row.channel_id in self.context.sources]

    def _accepted_all_permanent(self) -> bool:
        """Whether every permanent candidate is in the memories now, so that the model's profile
        says nothing that was refused."""
        permanent = [c for c in self.extraction.candidates if c.lifetime_days is None]
        texts = [row.text for row in self.rows.values()]
        return all(
            any(same_wording(text, candidate.text, same_attribute=False) for text in texts)
            for candidate in permanent
        )

    def _member_name(self) -> str:
        return self.state.events[0].author_name if self.state.events else ""

    def _confirm(self, row: Memory, candidate: Candidate, event: Event, confidence: float) -> None:
        """Add evidence to a memory that says the same; at most once per message."""
        evidence = self.state.evidence.get(row.id, ())
        if row.id < 0 or row.id in self.confirmations:
            raise Refused("repeated")
        if any(item.message_id == event.message_id for item in evidence):
            raise Refused("repeated")
        days = {item.day for item in evidence}
        is_new_day = event.created_at.date() not in days
        confidence = max(
            confidence, policy.confidence_after(row.confidence, further_day=is_new_day)
        )
        status = self._status_after_confirmation(row, confidence, len(days) + is_new_day)
        confirmation = self.confirmations[row.id] = Confirmation(
            row_id=row.id,
            confidence=confidence,
            importance=max(row.importance, candidate.importance),
            expires_at=_later(row.expires_at, self._end(candidate, row.kind, event)),
            status=status,
            evidence=self._evidence(candidate, event),
            is_promoted=status is not row.status,
        )
        self.rows[row.id] = replace(
            row,
            confidence=confirmation.confidence,
            importance=confirmation.importance,
            expires_at=confirmation.expires_at,
            status=confirmation.status,
            last_confirmed_at=max(row.last_confirmed_at, event.created_at),
        )

    def _status_after_confirmation(self, row: Memory, confidence: float, days: int) -> Status:
        """Return a memory's status after a confirmation; it is never lower than before."""
        status = policy.status_for(row.kind, confidence, days, self.write_policy)
        is_lower = status is Status.SHADOW and row.status is Status.PROPOSED
        return row.status if status is None or is_lower or row.status is Status.ACTIVE else status

    def _insert(
        self,
        candidate: Candidate,
        event: Event,
        text: str,
        key: str,
        confidence: float,
        status: Status,
    ) -> None:
        old = self.rows.get(candidate.replaces) if candidate.replaces else None
        replaces = old is not None and old.id > 0 and key != "" and old.fact_key == key
        new = NewMemory(
            text=text,
            topics=clip_topics(candidate.topics),
            importance=candidate.importance,
            kind=candidate.kind,
            fact_key=key,
            source=candidate.source,
            status=status,
            confidence=confidence,
            channel_id=event.source_id,
            stems=search_stems(
                text,
                self._indexable(event.text),
                self._indexable(self.context.previous.get(event.id, "")),
            ),
            expires_at=self._end(candidate, candidate.kind, event),
            evidence=self._evidence(candidate, event),
            supersedes=candidate.replaces if replaces and status is Status.ACTIVE else None,
            corrects=candidate.replaces if replaces and status is Status.PROPOSED else None,
        )
        if new.supersedes is not None:
            del self.rows[new.supersedes]
            self.confirmations.pop(new.supersedes, None)
        row_id = -1 - len(self.inserts)
        self.inserts[row_id] = new
        self.rows[row_id] = _as_row(self.state, row_id, new)

    def _end(self, candidate: Candidate, kind: Kind, event: Event) -> datetime | None:
        return policy.memory_end(
            kind,
            candidate.lifetime_days,
            event.created_at,
            self.state.consent,
            self.write_policy.longest_days,
        )

    def _indexable(self, text: str) -> str:
        """Return a message's text for the search index; empty if the safety filter refuses it."""
        return "" if refusal_reason(text, self.context.forbidden) else text

    def _evidence(self, candidate: Candidate, event: Event) -> Evidence:
        return Evidence(
            message_id=event.message_id,
            channel_id=event.channel_id,
            quote=clip(one_line(clean(candidate.quote)), MEMORY_LIMIT, at_word=True),
            method=self.extraction.method,
            said_at=event.created_at,
            model=clip(self.extraction.model, 100),
            prompt_hash=self.extraction.prompt_hash,
        )


def _later(end: datetime | None, other_end: datetime | None) -> datetime | None:
    """Return the later end; None is permanent."""
    return None if end is None or other_end is None else max(end, other_end)


def _as_row(state: MemberState, row_id: int, new: NewMemory) -> Memory:
    return Memory(
        id=row_id,
        uid="",
        guild_id=state.member.guild_id,
        user_id=state.member.user_id,
        channel_id=new.channel_id,
        text=new.text,
        topics=new.topics,
        importance=new.importance,
        kind=new.kind,
        fact_key=new.fact_key,
        source=new.source,
        status=new.status,
        confidence=new.confidence,
        evidence_count=1,
        stems=new.stems,
        created_at=new.evidence.said_at,
        last_confirmed_at=new.evidence.said_at,
        last_used_at=None,
        use_count=0,
        expires_at=new.expires_at,
    )
