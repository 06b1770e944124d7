"""LoCoMo's and RealMem's formats, read into one shape that replay and the benchmarks use.

Whatever a file lacks is left out: sessions that are missing, turns without words, evidence that
names no turn.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

LOCOMO, REALMEM = "locomo", "realmem"
TURN_S = 60
SESSION_GAP = timedelta(hours=2)
FIRST_DAY = datetime(2023, 1, 1, 12, tzinfo=UTC)
_TURN_ID = re.compile(r"D(\d+):(\d+)")
_SESSION = re.compile(r"session_(\d+)")


@dataclass(frozen=True, slots=True)
class Message:
    """Something said: who (an index into the people), when, and the evidence it is."""

    evidence: str
    speaker: int
    text: str
    said_at: datetime


@dataclass(frozen=True, slots=True)
class Fact:
    """A memory about a person, and the message it was drawn from."""

    evidence: str
    about: int
    text: str
    message: str
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked once the first ``after`` facts are known, and the evidence of an answer.

    ``about`` are the people it names; all of them, if it names nobody.
    """

    text: str
    gold: frozenset[str]
    category: int
    about: tuple[int, ...]
    asked_at: datetime
    after: int


@dataclass(slots=True)
class Conversation:
    """One file entry: its people, what was said, what was noted, what is asked."""

    name: str
    people: list[str]
    messages: list[Message] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)


def load(file: Path) -> tuple[str, list[Conversation]]:
    """Return which format a file has, and its conversations."""
    entries = json.loads(file.read_text(encoding="utf-8"))
    if entries and "memories" in entries[0]:
        return REALMEM, [_realmem(entry) for entry in entries]
    return LOCOMO, [_locomo(entry, number) for number, entry in enumerate(entries, 1)]


def turn_ids(given: object) -> list[str]:
    """Return the turn ids in any spelling: "D1:3; D2:4", ["D10:5,D3:2"], "D1:03"."""
    text = " ".join(map(str, given)) if isinstance(given, list) else str(given)
    return [f"D{int(session)}:{int(turn)}" for session, turn in _TURN_ID.findall(text)]


# --- LoCoMo ----------------------------------------------------------------------------------


def _locomo(entry: dict[str, Any], number: int) -> Conversation:
    said = entry["conversation"]
    people = [said["speaker_a"], said["speaker_b"]]
    found = Conversation(str(entry.get("sample_id") or f"conversation {number}"), people)
    last = FIRST_DAY
    for session, turns in _sessions(said):
        given = _when(said.get(f"session_{session}_date_time", ""))
        begun = given or last + SESSION_GAP
        for place, turn in enumerate(turns):
            last = begun + timedelta(seconds=TURN_S * place)
            ids, speaker = turn_ids(turn.get("dia_id", "")), turn.get("speaker")
            text = turn.get("text") or turn.get("blip_caption") or ""
            if ids and speaker in people and text.strip():
                found.messages.append(Message(ids[0], people.index(speaker), text, last))
    known = {message.evidence for message in found.messages}
    for notes in _in_order(entry.get("observation", {})):
        for speaker, lines in notes.items():
            for text, evidence in lines if speaker in people else ():
                there = [one for one in turn_ids(evidence) if one in known]
                if there:
                    found.facts.append(Fact(there[0], people.index(speaker), text, there[0]))
    asked_at = last + timedelta(days=1)
    for one in entry.get("qa", []):
        gold = frozenset(turn_ids(one.get("evidence", [])))
        if gold:
            text = one["question"]
            about = _named(text, people)
            category = int(one.get("category", 0))
            found.questions.append(
                Question(text, gold, category, about, asked_at, len(found.facts))
            )
    return found


def _sessions(said: dict[str, Any]) -> list[tuple[int, list[dict[str, Any]]]]:
    found = [
        (int(match[1]), turns)
        for key, turns in said.items()
        if (match := _SESSION.fullmatch(key)) and isinstance(turns, list)
    ]
    return sorted(found, key=lambda one: one[0])


def _in_order(notes: dict[str, Any]) -> Iterator[dict[str, Any]]:
    def number(key: str) -> int:
        match = _SESSION.match(key)
        return int(match[1]) if match else 0

    for key in sorted(notes, key=number):
        yield notes[key]


def _when(text: str) -> datetime | None:
    try:
        return datetime.strptime(text.strip(), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    except ValueError:
        return None


def _named(text: str, people: list[str]) -> tuple[int, ...]:
    named = [
        i
        for i, name in enumerate(people)
        if re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE)
    ]
    return tuple(named or range(len(people)))


# --- RealMem ---------------------------------------------------------------------------------


def _realmem(entry: dict[str, Any]) -> Conversation:
    """Read one member; sessions follow each other, whatever day a file gives a later one."""
    found = Conversation(entry["member"], [entry["member"]])
    begun: dict[int, datetime] = {}
    days = {one["session"]: one["at"] for one in (*entry["queries"], *entry["memories"])}
    last = FIRST_DAY - timedelta(days=3650)
    for session in sorted(days):
        day = datetime.strptime(days[session][:10], "%Y-%m-%d").replace(hour=12, tzinfo=UTC)
        last = begun[session] = max(day, last + SESSION_GAP)
    heard: dict[tuple[int, str], Message] = {}
    for note in entry["memories"]:
        key = (note["session"], note["source"] or note["text"])
        if key not in heard:
            places = sum(1 for session, _ in heard if session == note["session"])
            said_at = begun[note["session"]] + timedelta(seconds=TURN_S * places)
            heard[key] = Message(f"message {len(heard)}", 0, key[1], said_at)
            found.messages.append(heard[key])
        topics = tuple(map(str, note.get("topics") or ()))
        found.facts.append(Fact(str(note["id"]), 0, note["text"], heard[key].evidence, topics))
    for query in entry["queries"]:
        asked_at = begun[query["session"]] + SESSION_GAP / 2
        gold = frozenset(map(str, query["gold"]))
        if gold and query["rows_before"]:
            found.questions.append(
                Question(query["text"], gold, 0, (0,), asked_at, query["rows_before"])
            )
    return found
