"""Units of work on chapters: dividing what was heard, taking up what is to be summarised, and
storing what was written of it.

Each runs under the channel's lease, in a transaction of its own (episodes.py). A summary is stored
only if every message it was made from still says the same, and may still be told. What is learnt of
a chapter is learnt before its summary is stored, which says that it is done: what a crash breaks
off is read again, and teaches nothing twice.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise

from utils.database import episodes, events, guilds, members, open_loops, summaries
from utils.database.engine import Session
from utils.database.episodes import Place
from utils.memory import policy, unwritten
from utils.memory.boundaries import BoundaryPolicy, Chapter, divide
from utils.memory.categories import Category
from utils.memory.decide import decide
from utils.memory.grounding import Refused, quoted
from utils.memory.heard import Heard
from utils.memory.stems import stems
from utils.memory.summarising import Draft, Loop, Written, summary_of
from utils.model.episode import Episode, OpenLoop, Part
from utils.model.memory import (
    Candidate,
    Consent,
    Event,
    Extraction,
    Importance,
    Kind,
    Member,
    MemberState,
    Method,
    Role,
)
from utils.model.plan import Plan
from utils.model.policy import WritePolicy
from utils.text import estimate_tokens

HISTORY_TOKENS = 1500
"""Of a channel's last turns, so much stands in a prompt."""
BATCH = 100
TURNS_COMPARED = 12
RUNNING_TURNS, CHUNK_TURNS = 12, 40
FEWEST_SUMMARISED = 2  # turns of members; less is no conversation
LONGEST_OPEN = timedelta(days=30)
LOOP_SHARE = 1 / 2  # of what is said to be open, its message must hold so many content words


# --- dividing -----------------------------------------------------------------------------------


def divide_new(session: Session, place: Place, boundaries: BoundaryPolicy, now: datetime) -> bool:
    """Put what was heard in a channel into its chapters, and close the last one after a long
    silence. Returns whether there may be more at once."""
    heard = episodes.undivided(session, place, now, BATCH)
    turns = [turn for turn in heard if not _joins_earlier_words(session, turn)]
    now_open = episodes.open_in(session, place)
    said_at = [turn.created_at for turn in turns] or ([now_open.last_at] if now_open else [])
    is_over = bool(said_at) and max(said_at) <= now - boundaries.longest_gap
    is_more = len(heard) == BATCH
    if turns:
        division = divide(_known(session, now_open), turns, boundaries)
        settled = len(turns) if is_over and not is_more else division.settled
        starts = [start for start in division.starts if start < settled]
        now_open = _put(session, now_open, turns[:settled], starts, now)
        is_more = is_more and settled > 0
    if now_open is not None and is_over and not is_more:
        episodes.close(session, now_open.id, now)
    return is_more


def _joins_earlier_words(session: Session, turn: Event) -> bool:
    """Put an edited message into the chapter it was in; False if it was in none."""
    if not turn.revision:
        return False
    earlier = episodes.of_message(session, turn.guild_id, turn.message_id)
    if earlier is not None:
        episodes.extend(session, earlier.id, [turn])
    return earlier is not None


def _known(session: Session, now_open: Episode | None) -> Chapter:
    if now_open is None:
        return Chapter()
    written = summaries.of_episode(session, now_open.guild_id, now_open.id)
    running = [one.text for one in written if one.part is Part.RUNNING]
    turns = episodes.last_turns(session, now_open, TURNS_COMPARED)
    return Chapter(tuple(turns), running[-1] if running else "")


def _put(
    session: Session,
    now_open: Episode | None,
    turns: Sequence[Event],
    starts: Sequence[int],
    now: datetime,
) -> Episode | None:
    """Put turns into the open chapter and the new ones; returns the one that is open now."""
    bounds = sorted({0, *starts, len(turns)})
    for first, end in pairwise(bounds):
        some = turns[first:end]
        if now_open is not None and first not in starts:
            episodes.extend(session, now_open.id, some)
        else:
            if now_open is not None:
                episodes.close(session, now_open.id, now)
            episodes.begin(session, some)
        now_open = episodes.open_in(session, (some[0].guild_id, some[0].channel_id))
    return now_open


# --- taking up ----------------------------------------------------------------------------------


def next_draft(session: Session, place: Place, now: datetime) -> Draft | None:
    """Return what is to be summarised next in a channel, closed chapters first.

    Nothing in a frozen server. Closed chapters of which too little is left are done with.
    """
    server = guilds.load(session, place[0])
    if server.frozen:
        return None
    while (closed := episodes.unsummarised_in(session, place)) is not None:
        draft = _draft(session, closed, server.time_zone, now)
        if draft is not None:
            return draft
        _drop_running(session, closed)
        episodes.note_summarised(session, closed.id, closed.last_event_id)
    now_open = episodes.open_in(session, place)
    return None if now_open is None else _draft(session, now_open, server.time_zone, now)


def _draft(session: Session, of: Episode, time_zone: str, now: datetime) -> Draft | None:
    written = summaries.of_episode(session, of.guild_id, of.id)
    chunks = tuple(one for one in written if one.part is Part.CHUNK and one.expires_at > now)
    after_id = chunks[-1].last_event_id if chunks else 0
    turns = tuple(_told(session, of, after_id, CHUNK_TURNS + 1, now))
    draft = Draft(of, Part.RUNNING, turns, chunks, time_zone)
    if len(turns) > CHUNK_TURNS:
        return replace(draft, part=Part.CHUNK, turns=turns[:CHUNK_TURNS], chunks=())
    if of.closed_at is not None:
        is_much = len([one for one in turns if one.role is Role.MEMBER]) >= FEWEST_SUMMARISED
        return replace(draft, part=Part.FINAL) if chunks or is_much else None
    return draft if _presses(turns, of.summarised_id) else None


def _told(session: Session, of: Episode, after_id: int, limit: int, now: datetime) -> list[Event]:
    """Return a chapter's next turns that may be told, as their authors wish now."""
    found: list[Event] = []
    while len(found) < limit:
        page = episodes.turns(session, of, after_id, limit, now)
        found += unwritten.allowed(session, page)
        if len(page) < limit:
            break
        after_id = page[-1].id
    return found[:limit]


def _presses(turns: Sequence[Event], summarised_id: int) -> bool:
    """Whether so much was said since the last summary that prompts may not hold it any more."""
    new = [turn for turn in turns if turn.id > summarised_id]
    if len(new) >= RUNNING_TURNS:
        return True
    return sum(estimate_tokens(turn.text) for turn in new) > HISTORY_TOKENS


# --- storing ------------------------------------------------------------------------------------


def store(session: Session, draft: Draft, written: Written, model: str, now: datetime) -> bool:
    """Store what was written of a draft, which may be nothing; False if the draft holds no more."""
    of = draft.episode
    if not holds(session, draft, now):
        return False
    if written.text or draft.part is Part.CHUNK:
        ends_at = _first_end(session, draft)
        summaries.write(session, summary_of(draft, written, ends_at, model), now)
    elif draft.part is Part.FINAL:
        _drop_running(session, of)
    if draft.part is Part.FINAL:
        episodes.note_summarised(session, of.id, of.last_event_id)
    elif draft.part is Part.RUNNING:
        episodes.note_summarised(session, of.id, draft.last_id)
    return True


def holds(session: Session, draft: Draft, now: datetime) -> bool:
    """Whether all that a draft was made from is still there, in the same words, to be told.

    Its chapter is held until this unit of work ends (episodes.hold).
    """
    if not episodes.hold(session, draft.episode):
        return False
    turns = events.surviving(session, [turn.id for turn in draft.turns])
    words = [(turn.id, turn.text) for turn in turns]
    if words != [(turn.id, turn.text) for turn in draft.turns]:
        return False
    written = summaries.of_episode(session, draft.episode.guild_id, draft.episode.id)
    there = {one.id for one in written}
    is_whole = all(one.id in there for one in draft.chunks)
    is_told = is_whole and len(unwritten.allowed(session, turns)) == len(turns)
    return is_told and _first_end(session, draft) > now


def _first_end(session: Session, draft: Draft) -> datetime:
    """Return when the first of what a draft was made from must be gone."""
    end = summaries.first_end(session, [turn.id for turn in draft.turns])
    return min([one.expires_at for one in draft.chunks] + ([] if end is None else [end]))


def _drop_running(session: Session, of: Episode) -> None:
    """Delete the running summary where no later one tells readers that it is over."""
    if summaries.drop_running(session, of.guild_id, of.id):
        members.note_erasure(session, of.guild_id)


# --- learning -----------------------------------------------------------------------------------


def learn(
    session: Session,
    member: Member,
    draft: Draft,
    written: Written,
    *,
    write_policy: WritePolicy,
    forbidden: frozenset[Category],
    model: str,
    now: datetime,
) -> Plan:
    """Let what a chapter showed of one member go the way of everything that is learnt.

    Repeated, it changes nothing: what is remembered or open of a message is known by it.
    """
    own = [turn.id for turn in draft.turns if _is_of(turn, member)]
    others = [one for one in draft.turns if one.role is Role.MEMBER and not _is_of(one, member)]
    heard = Heard(
        sources=frozenset({draft.episode.source_id}),
        others=tuple(one.text for one in others),
        names=tuple({one.author_name for one in others}),
        forbidden=forbidden,
    )
    extraction = Extraction(
        tuple(one for one in written.candidates if one.subject_id == member.user_id),
        Method.MODEL,
        model=model,
        prompt_hash=draft.prompt.hash,
    )
    decided = partial(decide, extraction=extraction, write_policy=write_policy, heard=heard)
    plan = members.change(session, member, decided, now=now, event_ids=own)
    consent = members.leave_to_store(session, member)
    state = members.load_state(session, member, now=now, event_ids=own)
    for loop in written.loops:
        if loop.user_id == member.user_id and consent is not Consent.OFF:
            event = _left_open(loop, state, heard)
            if event is not None and not open_loops.rests_on(session, member, event.message_id):
                _open(session, loop, event, consent, now)
    return plan


def _left_open(loop: Loop, state: MemberState, heard: Heard) -> Event | None:
    """Return the message in which somebody left something open; None if they never said so."""
    claim = Candidate(
        subject_id=loop.user_id,
        text=loop.text,
        quote=loop.quote,
        kind=Kind.TASK,
        importance=Importance.MEDIUM,
        confidence=1.0,
        lifetime_days=LONGEST_OPEN.days,
    )
    try:
        event = quoted(claim, state, heard)
    except Refused:
        return None
    words, said = stems(loop.text), set(stems(event.text))
    is_theirs = sum(word in said for word in words) >= LOOP_SHARE * len(words)
    return event if words and is_theirs else None


def _open(session: Session, loop: Loop, event: Event, consent: Consent, now: datetime) -> None:
    ends_at = min(event.created_at + LONGEST_OPEN, policy.event_end(event.created_at, consent))
    if ends_at > now:
        open_loops.add(
            session,
            OpenLoop(
                member=event.member,
                channel_id=event.channel_id,
                source_id=event.source_id,
                message_id=event.message_id,
                kind=loop.kind,
                text=loop.text,
                created_at=event.created_at,
                expires_at=ends_at,
            ),
        )


def _is_of(turn: Event, member: Member) -> bool:
    return turn.role is Role.MEMBER and turn.member == member
