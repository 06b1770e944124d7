"""What of an archive is taken in, line by line, and why the rest is not.

Whoever imports vouches for what the lines say; that nothing comes back which was erased, that
consent, lifetimes, the cap and what is never kept hold, and that nothing is stored twice, is seen
to here, in the unit of work that stores.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from utils.database import arrivals, guilds, imports, ledger, memories, policies, retention
from utils.database import events as stored
from utils.database import tombstones as stones
from utils.database.archives import Line
from utils.database.engine import Session
from utils.memory import policy
from utils.memory.categories import DEFAULT_CATEGORIES, Category
from utils.memory.decide import search_stems
from utils.memory.safety import refusal_reason
from utils.memory.storable import storable
from utils.model.memory import Consent, Event, Member, Role, Status
from utils.model.operator import Erasing
from utils.model.policy import WritePolicy

FUTURE = timedelta(days=1)  # clocks differ, but not by more
ALL_OF_A_MEMBER = (Erasing.SAID, Erasing.MEMBER, Erasing.OFF)
CONSENT_LESS = (Erasing.MEMBER, Erasing.OFF, Erasing.SHORTER)
KNOWN = "known already"
ERASED = "erased here since"
ENDED = "their time is over"
FROM_THE_FUTURE = "from the future"
OVER_CAP = "more than a member's limit"
GROUNDLESS = "without evidence"
WITHOUT_HEIR = "the past of what is not taken in"
OF_ANOTHER = "another member's here"


@dataclass(frozen=True, slots=True)
class Rules:
    """What holds for an import: when it is, when the archive was made, and what is never kept.

    ``judged`` are texts that were looked at, which takes a millisecond each; whoever is done with a
    member forgets them.
    """

    now: datetime
    made_at: datetime
    write_policy: WritePolicy = field(default_factory=WritePolicy)
    forbidden: frozenset[Category] = DEFAULT_CATEGORIES
    judged: dict[str, str | None] = field(default_factory=dict)

    def is_future(self, *times: datetime) -> bool:
        """Whether any of these is later than clocks differ."""
        return max(times) > self.now + FUTURE

    def unfit(self, text: str) -> str | None:
        """Return why a text is never kept, or None."""
        if text not in self.judged:
            self.judged[text] = refusal_reason(text, self.forbidden)
        return self.judged[text]


@dataclass(frozen=True, slots=True)
class Leave:
    """What may be stored of a member: under which consent, said since when, and what is gone.

    ``reason`` says why nothing may; ``edited`` are messages taken back since the archive was made.
    ``chosen_holds``: the archive's word on what they chose is not older than what they chose here.
    """

    consent: Consent
    reason: str | None
    since: datetime | None
    channels: frozenset[int]
    uids: frozenset[str]
    edited: frozenset[int]
    chosen_holds: bool

    def is_erased(self, said_at: datetime, *channel_ids: int) -> bool:
        """Whether what was said then and there was erased."""
        is_old = self.since is not None and said_at <= self.since
        return is_old or not self.channels.isdisjoint(channel_ids)


@dataclass(frozen=True, slots=True)
class Judged:
    """A memory's line: why it is left out (None: it is not), what of its evidence still is, when it
    must be gone, and the row here that has the same words."""

    line: Line
    reason: str | None
    evidence: tuple[Line, ...] = ()
    end: datetime | None = None
    same_as: int | None = None


def leave_of(session: Session, member: Member, chosen: Consent | None, rules: Rules) -> Leave:
    """Return what may be stored of a member now; ``chosen`` is what the archive says they chose."""
    own, settings = arrivals.choices_of(session, member), guilds.load(session, member.guild_id)
    erased = ledger.of_member(session, member)
    of_all = ledger.of_server(session, member.guild_id)
    chosen_holds = not any(one.kind in CONSENT_LESS and one.at > rules.made_at for one in erased)
    if not chosen_holds:
        chosen = None
    consent = own.Consent if own is not None and own.Consent is not None else chosen
    consent = consent or settings.consent_default
    until = [one.at for one in erased if one.kind in ALL_OF_A_MEMBER]
    until += [one.at for one in of_all if one.kind is Erasing.SERVER]
    until += imports.erased_until(session, member.guild_id, [member.user_id]).values()
    reason = None
    if retention.is_removed(session, member.guild_id):
        reason = "of a server that removed Kith"
    elif settings.frozen:
        reason = "of a frozen server"
    elif own is not None and own.Ignored:
        reason = "of members whom moderators had ignored"
    elif consent is Consent.OFF:
        reason = "of members who want nothing stored"
    return Leave(
        consent,
        reason,
        max(until, default=None),
        frozenset(one.channel_id or 0 for one in of_all if one.kind is Erasing.CHANNEL),
        frozenset(one.uid for one in erased if one.kind is Erasing.MEMORY and one.uid),
        frozenset(
            one.message_id
            for one in erased
            if one.kind is Erasing.MESSAGE and one.message_id and one.at > rules.made_at
        ),
        chosen_holds,
    )


# --- messages -----------------------------------------------------------------------------------


def judge_messages(
    session: Session, member: Member, lines: Sequence[Line], leave: Leave, rules: Rules
) -> list[tuple[Line, str | None, datetime]]:
    """Say of each of a member's messages why it is left out (None: it is not), and its end."""
    ids = {line["message"] for line in lines}
    known = arrivals.known_revisions(session, member.guild_id, ids)
    laid = stones.laid(session, member.guild_id, ids)
    found = []
    for line in lines:
        may_be = not leave.reason and not rules.is_future(line["at"])
        end = policy.event_end(line["at"], leave.consent) if may_be else line["at"]
        found.append((line, _why_not(line, leave, rules, known, laid, end), end))
        known.setdefault(line["message"], line["revision"])
    return found


def _why_not(
    line: Line,
    leave: Leave,
    rules: Rules,
    known: Mapping[int, int],
    laid: Mapping[int, int],
    end: datetime,
) -> str | None:
    message, revision = line["message"], line["revision"]
    if known.get(message, -1) >= revision:
        return KNOWN
    if leave.reason:
        return leave.reason
    is_gone = laid.get(message, -1) >= revision or message in leave.edited
    if is_gone or leave.is_erased(line["at"], line["channel"], line["source"]):
        return ERASED
    if rules.is_future(line["at"]):
        return FROM_THE_FUTURE
    return ENDED if end <= rules.now else None


def event_of(line: Line) -> Event:
    """Return a message's line as it is stored."""
    return storable(
        Event(
            guild_id=line["server"],
            channel_id=line["channel"],
            source_id=line["source"],
            message_id=line["message"],
            author_id=line["member"],
            author_name=line["name"],
            role=Role.MEMBER,
            text=line["text"],
            created_at=line["at"],
            reply_to_id=line["reply_to"],
            revision=line["revision"],
        )
    )


def judge_loops(
    session: Session, member: Member, lines: Sequence[Line], leave: Leave, rules: Rules
) -> list[tuple[Line, str | None, datetime]]:
    """Say of what is open why it is left out (None: it is not), and when it ends."""
    laid = stones.laid(session, member.guild_id, {line["message"] for line in lines})
    dropped = {
        one.message_id
        for one in ledger.of_member(session, member)
        if one.kind is Erasing.LOOP and one.at > rules.made_at
    }
    found = []
    for line in lines:
        reason, end = leave.reason, line["ends_at"]
        if reason is None and rules.is_future(line["at"]):
            reason = FROM_THE_FUTURE
        elif reason is None:
            end = min(end, policy.event_end(line["at"], leave.consent))
            gone = line["message"] in laid or line["message"] in dropped
            if gone or leave.is_erased(line["at"], line["channel"], line["source"]):
                reason = ERASED
            elif end <= rules.now:
                reason = ENDED
        found.append((line, reason, end))
    return found


# --- memories -----------------------------------------------------------------------------------


def judge_memories(
    session: Session, member: Member, lines: Sequence[Line], leave: Leave, rules: Rules
) -> list[Judged]:
    """Say of each of a member's memories why it is left out (None: it is not), and how it would be
    stored. ``lines`` are all of the member that the archive has, one after the other."""
    own = policy.in_force(policies.load(session, member.guild_id), rules.write_policy)
    owners = arrivals.owners(session, {line["uid"] for line in lines})
    current = memories.load_current(session, member, rules.now)
    same = {(row.text, row.kind, row.channel_id): row.id for row in current}
    messages = {one["message"] for line in lines for one in line["evidence"]}
    gone = stones.for_good(session, member.guild_id, messages) | leave.edited
    room = own.cap - len(current)
    found: dict[str, Judged] = {}
    for line in lines:
        uid, holds = line["uid"], line["status"] is not Status.SUPERSEDED
        if uid in owners or uid in found:
            mine = uid in found or owners[uid][1] == member
            found.setdefault(uid, Judged(line, KNOWN if mine else OF_ANOTHER))
            continue
        judged = _judge(line, leave, rules, own, gone)
        twin = same.get((line["text"], line["kind"], line["channel"])) if holds else None
        if judged.reason is None and twin is not None:
            judged = Judged(line, KNOWN, judged.evidence, judged.end, twin)
        elif judged.reason is None and holds:
            room -= 1
            judged = judged if room >= 0 else Judged(line, OVER_CAP)
        found[uid] = judged
    return [_with_heir(one, found) for one in found.values()]


def _judge(
    line: Line, leave: Leave, rules: Rules, own: WritePolicy, gone: frozenset[int]
) -> Judged:
    if leave.reason:
        return Judged(line, leave.reason)
    if line["uid"] in leave.uids:
        return Judged(line, ERASED)
    evidence = tuple(
        one
        for one in line["evidence"]
        if one["message"] not in gone
        and not leave.is_erased(one["said_at"], one["channel"], line["channel"])
    )
    if not evidence:
        return Judged(line, ERASED if line["evidence"] else GROUNDLESS)
    said_at = max(one["said_at"] for one in evidence)
    confirmed_at = (
        min(line["confirmed_at"], said_at)
        if len(evidence) < len(line["evidence"])
        else line["confirmed_at"]
    )
    if rules.is_future(line["said_at"], said_at, confirmed_at):
        return Judged(line, FROM_THE_FUTURE)
    longest = policy.memory_end(line["kind"], None, confirmed_at, leave.consent, own.longest_days)
    end = min((one for one in (line["ends_at"], longest) if one is not None), default=None)
    if end is not None and end <= rules.now:
        return Judged(line, ENDED)
    unfit = rules.unfit(line["text"])
    return Judged(line, f"never kept ({unfit})" if unfit else None, evidence, end)


def _with_heir(one: Judged, found: Mapping[str, Judged]) -> Judged:
    """Leave a row out that is the past of what is not here."""
    seen: set[str] = set()
    heir: Judged | None = one
    while heir is not None and heir.line["status"] is Status.SUPERSEDED:
        uid = heir.line["superseded_by"]
        if uid is None or uid in seen:
            heir = None
        else:
            seen.add(uid)
            heir = found.get(uid)
        if heir is not None and heir.reason not in (None, KNOWN):
            heir = None
    return one if heir is not None or one.reason is not None else Judged(one.line, WITHOUT_HEIR)


def take_in_memories(
    session: Session,
    member: Member,
    lines: Sequence[Line],
    leave: Leave,
    rules: Rules,
    most: int,
) -> tuple[list[Judged], int]:
    """Store up to ``most`` of a member's memories; returns how all were judged, and how many were
    stored. The caller holds the member's lock."""
    judged = judge_memories(session, member, lines, leave, rules)
    owners = arrivals.owners(session, [one["uid"] for one in lines])
    ids = {uid: row_id for uid, (row_id, whose) in owners.items() if whose == member}
    stored_now = 0
    for one in judged:
        if one.same_as is not None:
            arrivals.add_evidence(session, member, one.same_as, one.evidence)
            ids[one.line["uid"]] = one.same_as
        elif one.reason is None and stored_now < most:
            ids[one.line["uid"]] = arrivals.add_memory(
                session,
                member,
                one.line,
                evidence=one.evidence,
                end=one.end,
                stems=_stems(session, one, rules),
                ids=ids,
                now=rules.now,
            )
            stored_now += 1
    for one in judged:
        heir, uid = one.line["superseded_by"], one.line["uid"]
        is_past = one.line["status"] is Status.SUPERSEDED
        if is_past and uid in ids and heir in ids and ids[uid] != ids[heir]:
            arrivals.link(session, ids[uid], ids[heir])
    return judged, stored_now


def _stems(session: Session, one: Judged, rules: Rules) -> str:
    """Return what a row is found by, made anew of its text, its message and the one before that, as
    far as they are here."""
    first = one.evidence[0]
    event = stored.as_last_heard(session, one.line["server"], first["message"])
    before = imports.before(session, event, 1) if event is not None else []
    said = event.text if event is not None else first["quote"]
    texts = (said, before[-1].text if before else "")
    harmless = ["" if rules.unfit(text) else text for text in texts]
    return search_stems(one.line["text"], *harmless)
