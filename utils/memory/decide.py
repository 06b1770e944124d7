"""Member state + candidates -> plan: merge, supersede, gate, cap. Pure: no clock, no database."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from utils.memory import policy, profile
from utils.memory.grounding import Refused, ground
from utils.memory.heard import Heard
from utils.memory.safety import refusal_reason
from utils.memory.stems import stems
from utils.memory.support import negates
from utils.model.memory import (
    MEMORY_LIMIT,
    Candidate,
    Consent,
    Event,
    Evidence,
    Extraction,
    Kind,
    MemberState,
    Memory,
    Method,
    Profile,
    Status,
)
from utils.model.plan import Confirmation, NewMemory, Plan
from utils.model.policy import WritePolicy
from utils.text import clean, clip, clip_topics, one_line

SAME_WORDING = 0.8
_RELATES = re.compile(
    r"\b(?:over|than|to|from|before|after|instead|not|of|by|über|als|statt|von|que|à|de|до|чем|от)\b|"
    r"\d|[^\x00-\u052f]",
    re.IGNORECASE,
)
Grounding = Callable[[Candidate, MemberState, Heard], Event]
TEXT_STEMS, SOURCE_STEMS, PREVIOUS_STEMS = 60, 40, 40


def decide(
    state: MemberState,
    extraction: Extraction,
    write_policy: WritePolicy,
    heard: Heard,
    grounding: Grounding = ground,
) -> Plan:
    """Return what an extraction's candidates change in a member's memory.

    ``write_policy`` is the operator's; the server's own, in the state, goes before it.
    ``grounding`` finds the message that a candidate rests on, or refuses it.
    """
    in_force = policy.in_force(state.policy, write_policy)
    draft = _Draft(state, extraction, in_force, heard, grounding)
    for candidate in extraction.candidates:
        try:
            draft.consider(candidate)
        except Refused as refused:
            draft.refused[refused.reason] += 1
    return draft.plan()


def trim(state: MemberState, cap: int) -> Plan:
    """Return the plan that brings a member's rows within the cap and their profile up to date.

    ``cap`` is the operator's; the server's own may be lower.
    """
    cap = min(cap, state.policy.cap) if state.policy else cap
    removals = policy.least_valued(list(state.rows), cap, frozenset(state.profile.row_ids))
    rows = [row for row in state.rows if row.id not in removals]
    paragraph = profile.remaining(state.profile, rows)
    return Plan(removals=tuple(removals), profile=None if paragraph is state.profile else paragraph)


def search_stems(text: str, source: str, previous: str) -> str:
    """Return the three lines of stems that a row is found by."""
    return "\n".join(
        " ".join(stems(words, limit=limit))
        for words, limit in (
            (text, TEXT_STEMS),
            (source, SOURCE_STEMS),
            (previous, PREVIOUS_STEMS),
        )
    )


def fact_key(attribute: str) -> str:
    """Return an attribute in snake_case, at most 100 UTF-16 units; empty when it names none."""
    words = re.findall(r"[^\W_]+", clean(attribute).casefold())
    return clip("_".join(words), 100, ellipsis="")


def same_wording(one: str, other: str, *, same_attribute: bool) -> bool:
    """Whether two texts say the same: equal stems, or one with a word more, under one attribute.

    A negation or a number on one side only always makes them different.
    """
    if negates(one) != negates(other):
        return False
    first, second = stems(one), stems(other)
    if first == second:
        return bool(first) or one.casefold() == other.casefold()
    left, right = set(first), set(second)
    is_moved = _shared(first, right) != _shared(second, left)
    if is_moved and not (same_attribute and left == right and _may_move(one)):
        return False
    if not same_attribute or any(any(c.isdigit() for c in stem) for stem in left ^ right):
        return False
    if left - right and right - left:  # one word in the place of another: Berlin is not Hamburg
        return False
    return len(left & right) >= SAME_WORDING * len(left | right)


def _may_move(text: str) -> bool:
    """Whether the order of a text's words tells nothing: "speaks fluent Thai", "… Thai fluently".

    It does where two things are set against each other (tea over coffee) or two names stand.
    """
    names = [word for word in text.split()[1:] if word[:1].isupper()]
    return len(names) < 2 and not _RELATES.search(text)


def _shared(words: list[str], other: set[str]) -> list[str]:
    """Return the words that also stand in the other text, in order, each once."""
    return list(dict.fromkeys(word for word in words if word in other))


@dataclass(slots=True)
class _Draft:
    """A plan in the making. New rows stand among the old ones under negative ids."""

    state: MemberState
    extraction: Extraction
    write_policy: WritePolicy
    heard: Heard
    grounding: Grounding
    inserts: dict[int, NewMemory] = field(default_factory=dict)
    confirmations: dict[int, Confirmation] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    rows: dict[int, Memory] = field(init=False)

    def __post_init__(self) -> None:
        self.rows = {row.id: row for row in self.state.rows}
        self.refused.update(self.extraction.refused)

    def consider(self, candidate: Candidate) -> None:
        """Take one candidate into the plan. Raises Refused with the reason otherwise."""
        event = self.grounding(candidate, self.state, self.heard)
        text = clip(one_line(clean(candidate.text)), MEMORY_LIMIT, at_word=True)
        key = fact_key(candidate.attribute)
        confidence = policy.starting_confidence(candidate, self.extraction.method)
        if event.surrogates:  # it stands only in something that they posted
            confidence *= policy.ATTACHMENT_FACTOR
        for row in self._rows_told_here():
            corrects = row.id == candidate.replaces
            same_attribute = not corrects and key != "" and row.fact_key == key
            if same_wording(row.text, text, same_attribute=same_attribute):
                if corrects:  # what corrects a row never makes it surer
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
        """Refuse what was said so long ago that it is over, or that what it would replace was said
        after it."""
        end = self._end(candidate, candidate.kind, event)
        if end is not None and end <= self.state.now:
            raise Refused("over")
        old = self.rows.get(candidate.replaces) if candidate.replaces else None
        if old is not None and old.fact_key == key and old.last_confirmed_at > event.created_at:
            raise Refused("outdated")

    def _check_limits(self) -> None:
        """Refuse what a member says of themselves at length; what an operator imports is let in."""
        if self.extraction.method is Method.IMPORT:
            return
        new = len(self.inserts)
        if self.state.writes.in_session + new >= self.write_policy.writes_per_session:
            raise Refused("session limit")
        if self.state.writes.in_hour + new >= self.write_policy.writes_per_hour:
            raise Refused("hour limit")

    def plan(self) -> Plan:
        """Close the draft: hold the cap, and bring the profile up to date."""
        obsolete: list[int] = []
        removals = policy.least_valued(
            list(self.rows.values()), self.write_policy.cap, frozenset(self.state.profile.row_ids)
        )
        for row_id in removals:
            del self.rows[row_id]
            dropped = self.inserts.pop(row_id, None)
            if dropped is not None:
                self.refused["cap"] += 1
                if dropped.supersedes is not None:  # obsolete all the same
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
        """Return the new paragraph, or None when the stored one still fits.

        It is made of what was said where everybody can read; without leave to write, or where
        nothing open is in sight, it only loses what is gone.
        """
        stored = self.state.profile
        rows = [row for row in self.rows.values() if row.channel_id in self.heard.open_sources]
        is_closed = self.state.frozen or self.state.ignored
        if not rows or self.state.consent is Consent.OFF or is_closed:
            left = profile.remaining(stored, self.rows.values())
            return None if left is stored else left
        proposal = self.extraction.profile_update
        if proposal and self._all_permanent_admitted():
            accepted = profile.accept(proposal, rows, self._name())
            if accepted is not None:
                return accepted
        if stored.row_ids and set(stored.row_ids) == {row.id for row in profile.facts(rows)}:
            return None
        rendered = profile.render(rows)
        return None if rendered == stored else rendered

    def _rows_told_here(self) -> list[Memory]:
        """Return the rows that this channel's readers can read.

        The same thing said elsewhere in confidence stays a row of its own: merging the two would
        hide what was said openly, or open what was not.
        """
        return [row for row in self.rows.values() if row.channel_id in self.heard.sources]

    def _all_permanent_admitted(self) -> bool:
        permanent = [c for c in self.extraction.candidates if c.lifetime_days is None]
        texts = [row.text for row in self.rows.values()]
        return all(
            any(same_wording(text, candidate.text, same_attribute=False) for text in texts)
            for candidate in permanent
        )

    def _name(self) -> str:
        return self.state.events[0].author_name if self.state.events else ""

    def _confirm(self, row: Memory, candidate: Candidate, event: Event, confidence: float) -> None:
        """Add evidence to a row that says the same; once per message."""
        seen = self.state.evidence.get(row.id, ())
        if row.id < 0 or row.id in self.confirmations:
            raise Refused("repeated")
        if any(one.message_id == event.message_id for one in seen):
            raise Refused("repeated")
        days = {one.day for one in seen}
        further_day = event.created_at.date() not in days
        sure = max(confidence, policy.confidence_after(row.confidence, further_day=further_day))
        status = self._status_again(row, sure, len(days) + further_day)
        again = self.confirmations[row.id] = Confirmation(
            row_id=row.id,
            confidence=sure,
            importance=max(row.importance, candidate.importance),
            expires_at=_later(row.expires_at, self._end(candidate, row.kind, event)),
            status=status,
            evidence=self._evidence(candidate, event),
            is_promoted=status is not row.status,
        )
        self.rows[row.id] = replace(
            row,
            confidence=again.confidence,
            importance=again.importance,
            expires_at=again.expires_at,
            status=again.status,
            last_confirmed_at=max(row.last_confirmed_at, event.created_at),
        )

    def _status_again(self, row: Memory, confidence: float, days: int) -> Status:
        """Return the status of a row that was said again: never a lower one than it has."""
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
                self._harmless(event.text),
                self._harmless(self.heard.previous.get(event.id, "")),
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

    def _harmless(self, text: str) -> str:
        """Return a message's text for searching by, nothing if it holds what is never kept."""
        return "" if refusal_reason(text, self.heard.forbidden) else text

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


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    """Return the later end; None is permanent."""
    return None if one is None or other is None else max(one, other)


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
