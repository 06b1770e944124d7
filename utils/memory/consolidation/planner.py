"""Plan what candidates change in a member's memory: notes, quotes, merges, limits, cap. Pure."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from utils.common.text import clean, clip, clip_topics, one_line
from utils.memory.consolidation import profile
from utils.memory.consolidation.new_memories import (
    as_memory,
    indexed_stems,
    is_of,
    new_quote,
    note_evidence,
    quote_evidence,
    repeated_quote,
    rests_on_erased,
)
from utils.memory.consolidation.wording import same_wording, search_stems
from utils.memory.policy import write_policy as policy
from utils.memory.verification.attributes import fact_key, replacing
from utils.memory.verification.checks import (
    Checked,
    Refused,
    check,
    states_for_server,
    stored_sentence,
)
from utils.memory.verification.extraction_context import ExtractionContext
from utils.models.extraction import Candidate, Extraction, Judgement
from utils.models.memory import (
    MEMORY_LIMIT,
    Consent,
    Event,
    Form,
    Kind,
    Memory,
    Method,
    Source,
    Status,
)
from utils.models.plan import Confirmation, MemberState, NewMemory, Plan
from utils.models.policy import WritePolicy
from utils.nlp.confidential import with_mark
from utils.nlp.dates.relative import DatedText, with_dates

OVERHEARD = frozenset({Source.PASSIVE})
DATED_KINDS = frozenset({Kind.FACT, Kind.TASK, Kind.CONSTRAINT})
"""The kinds of notes that are over when a day to come that they name is."""
Check = Callable[[Candidate, MemberState, ExtractionContext], Checked]


def plan_changes(
    state: MemberState,
    extraction: Extraction,
    write_policy: WritePolicy,
    context: ExtractionContext,
    check: Check = check,
) -> Plan:
    """Return the plan of changes that an extraction makes to a member's memory.

    Args:
        write_policy: the operator's; the server's own, in ``state``, takes precedence.
        check: returns where a candidate was said, or raises Refused; benchmarks pass their own,
            which needs no quote.
    """
    active_policy = policy.in_force(state.policy, write_policy)
    builder = _PlanBuilder(state, extraction, active_policy, context, check)
    # Notes first: a sentence that a note came from is not kept as a quote as well.
    for candidate in sorted(extraction.candidates, key=lambda c: not _is_supported(c)):
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
    removals = policy.least_valued(list(state.rows), cap)
    rows = [row for row in state.rows if row.id not in removals]
    paragraph = profile.remaining(state.profile, rows)
    return Plan(removals=tuple(removals), profile=None if paragraph is state.profile else paragraph)


def _is_supported(candidate: Candidate) -> bool:
    return bool(candidate.text) and candidate.verdict.judgement is Judgement.SUPPORTED


@dataclass(slots=True)
class _PlanBuilder:
    """Builds a plan candidate by candidate; ``rows`` holds new memories under negative ids."""

    state: MemberState
    extraction: Extraction
    write_policy: WritePolicy
    context: ExtractionContext
    check: Check
    inserts: dict[int, NewMemory] = field(default_factory=dict)
    confirmations: dict[int, Confirmation] = field(default_factory=dict)
    absorbed: list[int] = field(default_factory=list)
    server_facts: list[NewMemory] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    rows: dict[int, Memory] = field(init=False)
    is_by_rules: bool = field(init=False)  # then a note is of a part of its sentence

    def __post_init__(self) -> None:
        self.is_by_rules = self.extraction.method is Method.RULE
        self.rows = {row.id: row for row in self.state.rows}
        self.refused.update(self.extraction.refused)

    def add(self, candidate: Candidate) -> None:
        """Add one candidate to the plan. Raises Refused with the reason if nothing is stored."""
        if candidate.kind in self.write_policy.refused_kinds:
            raise Refused("kind")
        checked = self.check(candidate, self.state, self.context)
        judgement = candidate.verdict.judgement
        if judgement is Judgement.OTHER:
            raise Refused("other")
        if candidate.kind is Kind.SERVER_FACT:
            self._add_server_fact(candidate, checked)
            return
        if rests_on_erased(candidate, checked, self.context):
            candidate = replace(candidate, text="")
        lacks_a_verdict = bool(candidate.text) and judgement is Judgement.FAILED
        if _is_supported(candidate) or (
            lacks_a_verdict and policy.must_wait(candidate.kind, self.write_policy)
        ):
            self._add_note(candidate, checked)
        elif checked.is_attached or candidate.source in OVERHEARD:
            raise Refused("unverified")
        else:
            self._add_quote(candidate, checked)

    # --- notes -----------------------------------------------------------------------------------

    def _add_note(self, candidate: Candidate, checked: Checked) -> None:
        event, candidate = checked.event, replacing(candidate, self._visible_notes())
        dated = self._with_dates(candidate, event)
        if dated is None:
            self._add_quote(replace(candidate, text=""), checked)
            return
        text = clip(dated.text, MEMORY_LIMIT, at_word=True)
        said_on = event.created_at.astimezone(ZoneInfo(self.context.time_zone)).date()
        if candidate.until is not None and candidate.until < said_on:
            candidate = replace(candidate, until=None)  # no end of what is said later
        if candidate.until is None and candidate.kind in DATED_KINDS:
            candidate = replace(candidate, until=dated.last_day)
        key = fact_key(candidate.attribute)
        is_verified, confidence = _is_supported(candidate), policy.UNVERIFIED_CONFIDENCE
        if is_verified:
            confidence = policy.starting_confidence(
                candidate.verdict.by, candidate.source, is_attached=checked.is_attached
            )
        repeated = self._repeated_row(candidate, text, key)
        if repeated is not None:
            if not is_verified:
                raise Refused("unverified")
            if repeated.id == candidate.replaces:  # a correction does not raise the confidence
                raise Refused("repeated")
            if repeated.id < 0 and self._ends_too(repeated.id, candidate):
                return
            self._confirm(repeated, candidate, checked, confidence)
            return
        days = policy.days_seen_first(self._replaced_row(candidate), self.write_policy)
        status: Status | None = Status.PROPOSED
        if is_verified:
            status = policy.status_for(candidate.kind, confidence, days, self.write_policy)
        if status is None:
            raise Refused("unsure")
        self._check_age(candidate, event)
        if self._is_over_limit(candidate, checked):
            self._add_quote(candidate, checked)
            return
        self._insert(candidate, checked, text, key, confidence, status)

    def _with_dates(self, candidate: Candidate, event: Event) -> DatedText | None:
        """Return a note with dates behind "tomorrow" and the like; None if it cannot be one."""
        ahead = {Kind.TASK: True, Kind.SERVER_FACT: True, Kind.EPISODE: False}.get(candidate.kind)
        zone = ZoneInfo(self.context.time_zone)
        text = one_line(clean(candidate.text))
        return with_dates(text, event.created_at, zone, weekdays_ahead=ahead)

    def _repeated_row(self, candidate: Candidate, text: str, key: str) -> Memory | None:
        """Return the note that a candidate says again: in these words, or as the verifier found."""
        for row in self._visible_notes():
            same_attribute = row.id != candidate.replaces and key != "" and row.fact_key == key
            if same_wording(row.text, text, same_attribute=same_attribute):
                return row
        if candidate.verdict.repeats and candidate.confirms != candidate.replaces:
            return next((r for r in self._visible_notes() if r.id == candidate.confirms), None)
        return None

    def _check_age(self, candidate: Candidate, event: Event) -> None:
        """Refuse a candidate that has expired already, or is older than what it would replace."""
        end = self._end(candidate, candidate.kind, event)
        if end is not None and end <= self.state.now:
            raise Refused("over")
        old = self._replaced_row(candidate)
        if old is not None and old.last_confirmed_at > event.created_at:
            raise Refused("outdated")

    def _replaced_row(self, candidate: Candidate) -> Memory | None:
        """Return the note that a candidate makes untrue, as the verifier found."""
        if candidate.replaces is None or not candidate.verdict.ends:
            return None
        old = self.rows.get(candidate.replaces)
        return old if old is not None and old.id > 0 and old.form is Form.NOTE else None

    def _is_over_limit(self, candidate: Candidate, checked: Checked) -> bool:
        """Whether the member's new notes reach a write limit; a correction's hour is enough.

        Imports are exempt, and so is what else a sentence says that gave a note.
        """
        notes = [new for new in self.inserts.values() if new.form is Form.NOTE]
        if self.extraction.method is Method.IMPORT or any(is_of(new, checked) for new in notes):
            return False
        writes, limits = self.state.writes, self.write_policy
        if writes.in_hour + len(notes) >= limits.writes_per_hour:
            return True
        is_session_full = writes.in_session + len(notes) >= limits.writes_per_session
        return is_session_full and self._replaced_row(candidate) is None

    def _confirm(
        self, row: Memory, candidate: Candidate, checked: Checked, confidence: float
    ) -> None:
        """Add evidence to a memory that says the same; at most once per message."""
        event = checked.event
        evidence = self.state.evidence.get(row.id, ())
        is_said_again = any(item.message_id == event.message_id for item in evidence)
        if row.id < 0 or row.id in self.confirmations or is_said_again:
            raise Refused("repeated")
        zone = ZoneInfo(self.context.time_zone)
        days = {item.said_at.astimezone(zone).date() for item in evidence}
        is_new_day = event.created_at.astimezone(zone).date() not in days
        confidence = max(
            confidence, policy.confidence_after(row.confidence, further_day=is_new_day)
        )
        status = policy.status_after(row, confidence, len(days) + is_new_day, self.write_policy)
        is_activated = status is Status.ACTIVE and row.status is not Status.ACTIVE
        corrected_id = self.state.corrected.get(row.id) if is_activated else None
        if corrected_id is not None:
            self._supersede(corrected_id)
        confirmation = self.confirmations[row.id] = Confirmation(
            row_id=row.id,
            confidence=confidence,
            importance=max(row.importance, candidate.importance),
            expires_at=policy.latest_end((row.expires_at, self._end(candidate, row.kind, event))),
            status=status,
            evidence=note_evidence(candidate, checked, self.state, self.extraction, self.context),
            is_promoted=status is not row.status,
            supersedes=corrected_id,
        )
        self.rows[row.id] = replace(
            row,
            importance=confirmation.importance,
            status=confirmation.status,
            last_confirmed_at=max(row.last_confirmed_at, event.created_at),
        )
        self._absorb_quotes(checked)

    def _insert(
        self,
        candidate: Candidate,
        checked: Checked,
        text: str,
        key: str,
        confidence: float,
        status: Status,
    ) -> None:
        old = self._replaced_row(candidate)
        end = self._end(candidate, candidate.kind, checked.event)
        day, is_temporary = candidate.until, self.state.consent is Consent.TEMPORARY
        ends_before = is_temporary and day is not None and end is not None and end.date() < day
        new = NewMemory(
            text=text,
            topics=clip_topics(candidate.topics),
            importance=candidate.importance,
            kind=candidate.kind,
            fact_key=key,
            source=candidate.source,
            status=status,
            confidence=confidence,
            channel_id=checked.event.source_id,
            stems=indexed_stems(text, checked.event, self.context),
            expires_at=end,
            evidence=note_evidence(candidate, checked, self.state, self.extraction, self.context),
            supersedes=old.id if old is not None and status is Status.ACTIVE else None,
            corrects=old.id if old is not None and status is not Status.ACTIVE else None,
            outlasted_by=day if ends_before else None,  # the member hears of it
        )
        if new.supersedes is not None:
            self._supersede(new.supersedes)
        self._add_row(new)
        self._absorb_quotes(checked)

    def _ends_too(self, new_id: int, candidate: Candidate) -> bool:
        """Let a new note end a further memory; returns False if the candidate names none."""
        new, old = self.inserts[new_id], self._replaced_row(candidate)
        if old is None or new.supersedes is None:
            return False
        self.inserts[new_id] = replace(new, also_supersedes=(*new.also_supersedes, old.id))
        self._supersede(old.id)
        return True

    def _supersede(self, row_id: int) -> None:
        self.rows.pop(row_id, None)
        self.confirmations.pop(row_id, None)

    def _add_server_fact(self, candidate: Candidate, checked: Checked) -> None:
        """Add what a member states for the server; it ends with the day that it names, if sooner.

        All of its words are of its sentence: no other message has to stay for it. Raises Refused.
        """
        event, zone = checked.event, ZoneInfo(self.context.time_zone)
        is_own_message = not checked.is_attached and candidate.source not in OVERHEARD
        dated = self._with_dates(candidate, event)
        if not (is_own_message and dated is not None and _is_supported(candidate)):
            raise Refused("unverified")
        names = self.context.names
        if not (
            states_for_server(checked.sentence, names) and states_for_server(dated.text, names)
        ):
            raise Refused("about another")
        evidence = note_evidence(candidate, checked, self.state, self.extraction, self.context)
        confidence = policy.starting_confidence(
            candidate.verdict.by, candidate.source, is_attached=False
        )
        status = policy.status_for(candidate.kind, confidence, 1, self.write_policy)
        if evidence.context or status is None:
            raise Refused("unsure")
        if self._is_over_limit(candidate, checked):
            raise Refused("limit")
        last_day = candidate.until or dated.last_day
        end = policy.memory_end(
            candidate.kind,
            None,
            event.created_at,
            self.state.consent,
            self.write_policy.longest_days,
            until=None if last_day is None else policy.end_of_day(last_day, zone),
        )
        if end is not None and end <= self.state.now:
            raise Refused("over")
        text = clip(dated.text, MEMORY_LIMIT, at_word=True)
        self.server_facts.append(
            NewMemory(
                text=text,
                topics=clip_topics(candidate.topics),
                importance=candidate.importance,
                kind=candidate.kind,
                fact_key="",
                source=candidate.source,
                status=status,
                confidence=confidence,
                channel_id=event.source_id,
                stems=with_mark(search_stems(text, ""), event.text, event.stems),
                expires_at=end,
                evidence=evidence,
            )
        )

    # --- quotes ----------------------------------------------------------------------------------

    def _add_quote(self, candidate: Candidate, checked: Checked) -> None:
        """Keep the sentence once."""
        event = checked.event
        sentence = stored_sentence(checked.sentence)
        for new in self.inserts.values():
            if is_of(new, checked) and not (new.form is Form.NOTE and self.is_by_rules):
                is_judged = candidate.verdict.judgement is Judgement.UNSUPPORTED
                raise Refused("unsupported" if is_judged else "unverified")
        evidence = (item for row_id in self.rows for item in self.state.evidence.get(row_id, ()))
        if any((item.message_id, item.quote) == (event.message_id, sentence) for item in evidence):
            raise Refused("repeated")
        end = policy.event_end(event.created_at, self.state.consent)
        if candidate.until is not None and self.is_by_rules:  # all that it says is over then
            end = min(end, policy.end_of_day(candidate.until, ZoneInfo(self.context.time_zone)))
        if end <= self.state.now:
            raise Refused("over")
        same = repeated_quote(self.rows.values(), event, sentence)
        if same is not None:
            if same.id < 0 or same.id in self.confirmations:
                raise Refused("repeated")
            self.confirmations[same.id] = Confirmation(
                row_id=same.id,
                confidence=same.confidence,
                importance=same.importance,
                expires_at=policy.latest_end((same.expires_at, end)),
                status=same.status,
                evidence=quote_evidence(checked, self.extraction),
            )
            return
        status = policy.quote_status(self.write_policy)
        if status is None:
            raise Refused("no note")
        self._add_row(
            new_quote(
                candidate, checked, self.extraction, self.context, status=status, expires_at=end
            )
        )

    def _absorb_quotes(self, checked: Checked) -> None:
        """Remove the quotes of the sentence that a note now stands for."""
        if self.is_by_rules:
            return
        sentence = one_line(clean(checked.sentence))
        for row in list(self.rows.values()):
            may_go = row.form is Form.QUOTE and row.channel_id in self.context.sources
            if not (may_go and same_wording(row.text, sentence, same_attribute=False)):
                continue
            del self.rows[row.id]
            if row.id > 0:
                self.absorbed.append(row.id)
            else:
                del self.inserts[row.id]

    # --- the plan --------------------------------------------------------------------------------

    def plan(self) -> Plan:
        """Return the plan, with the cap applied and the profile updated."""
        obsolete: list[int] = []
        removals = policy.least_valued(list(self.rows.values()), self.write_policy.cap)
        for row_id in removals:
            del self.rows[row_id]
            dropped = self.inserts.pop(row_id, None)
            if dropped is not None:
                self.refused["cap"] += 1
                if dropped.supersedes is not None:  # obsolete anyway
                    obsolete += [dropped.supersedes, *dropped.also_supersedes]
        order = list(self.inserts)
        open_rows = [r for r in self.rows.values() if r.channel_id in self.context.open_sources]
        paragraph = profile.revised(
            self.state, self.extraction, open_rows, self.rows.values(), self.context.around
        )
        return Plan(
            inserts=tuple(self.inserts.values()),
            confirmations=tuple(self.confirmations.values()),
            removals=(*(row_id for row_id in removals if row_id > 0), *obsolete, *self.absorbed),
            profile=paragraph
            and replace(paragraph, row_ids=tuple(i for i in paragraph.row_ids if i > 0)),
            profile_inserts=tuple(order.index(i) for i in paragraph.row_ids if i < 0)
            if paragraph
            else (),
            refused=self.refused,
            server_facts=tuple(self.server_facts),
        )

    def _visible_notes(self) -> list[Memory]:
        """Return the notes that this channel's readers may see.

        The same statement from a private channel stays a separate memory. Merging the two would
        hide the public one or reveal the private one.
        """
        return [
            row
            for row in self.rows.values()
            if row.form is Form.NOTE and row.channel_id in self.context.sources
        ]

    def _add_row(self, new: NewMemory) -> None:
        row_id = min([*self.inserts, 0]) - 1
        self.inserts[row_id] = new
        self.rows[row_id] = as_memory(self.state.member, row_id, new)

    def _end(self, candidate: Candidate, kind: Kind, event: Event) -> datetime | None:
        zone, last_day = ZoneInfo(self.context.time_zone), candidate.until
        until = policy.end_of_day(last_day, zone, further_days=1) if last_day else None
        return policy.memory_end(
            kind,
            candidate.lifetime_days,
            event.created_at,
            self.state.consent,
            self.write_policy.longest_days,
            until=until,
        )
