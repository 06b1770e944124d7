"""Reads LoCoMo's JSON as dialogues.

Missing sessions, turns without words, and evidence that names no turn are left out; so are
questions about what the other person said, which have no answer.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from benchmarks.datasets.dialogues import (
    Dialogue,
    DialogueFact,
    DialogueMessage,
    DialogueQuestion,
)

TURN_S = 60
SESSION_GAP = timedelta(hours=2)
WITHOUT_ANSWER = 5  # a category of questions
FIRST_DAY = datetime(2023, 1, 1, 12, tzinfo=UTC)


_TURN_ID = re.compile(r"D(\d+):(\d+)")
_SESSION = re.compile(r"session_(\d+)")


def read_locomo(entry: dict[str, Any], number: int) -> Dialogue:
    """Return one entry of a file; ``number`` names it where it has no name."""
    transcript = entry["conversation"]
    people = [transcript["speaker_a"], transcript["speaker_b"]]
    dialogue = Dialogue(str(entry.get("sample_id") or f"conversation {number}"), people)
    dialogue.messages, ended_at = _messages(transcript, people)
    turns = {message.evidence for message in dialogue.messages}
    for _, notes in _sessions(entry.get("observation", {}), dict):
        for speaker, lines in notes.items():
            for text, evidence in lines if speaker in people else ():
                sources = [turn_id for turn_id in turn_ids(evidence) if turn_id in turns]
                if sources:
                    about = people.index(speaker)
                    dialogue.facts.append(DialogueFact(sources[0], about, text, sources[0]))
    asked_at = ended_at + timedelta(days=1)
    for question in entry.get("qa", []):
        gold = frozenset(turn_ids(question.get("evidence", [])))
        if gold and question.get("category") != WITHOUT_ANSWER:
            text, answer = question["question"], str(question.get("answer", ""))
            named, after = _named(text, people), len(dialogue.facts)
            dialogue.questions.append(DialogueQuestion(text, gold, named, asked_at, after, answer))
    return dialogue


def _messages(
    transcript: dict[str, Any], people: list[str]
) -> tuple[list[DialogueMessage], datetime]:
    """Return the messages, and when the last turn was said."""
    messages, last = [], FIRST_DAY
    for session, turns in _sessions(transcript, list):
        start = _parse_time(transcript.get(f"session_{session}_date_time", ""))
        start = start or last + SESSION_GAP
        for place, turn in enumerate(turns):
            last = start + timedelta(seconds=TURN_S * place)
            ids, speaker = turn_ids(turn.get("dia_id", "")), turn.get("speaker")
            text = turn.get("text") or turn.get("blip_caption") or ""
            if ids and speaker in people and text.strip():
                messages.append(DialogueMessage(ids[0], people.index(speaker), text, last))
    return messages, last


def _sessions(by_key: dict[str, Any], of_type: type) -> list[tuple[int, Any]]:
    """Return the session numbers and contents, in order; contents of another type are left out."""
    sessions = [
        (int(match[1]), content)
        for key, content in by_key.items()
        if (match := _SESSION.match(key)) and isinstance(content, of_type)
    ]
    return sorted(sessions, key=lambda session: session[0])


def _parse_time(text: str) -> datetime | None:
    try:
        return datetime.strptime(text.strip(), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    except ValueError:
        return None


def _named(text: str, people: list[str]) -> tuple[int, ...]:
    """Return the people whom a question names, else all."""
    named = [
        i
        for i, name in enumerate(people)
        if re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE)
    ]
    return tuple(named or range(len(people)))


def turn_ids(evidence: object) -> list[str]:
    """Return the turn ids in any spelling: "D1:3; D2:4", ["D10:5,D3:2"], "D1:03"."""
    text = " ".join(map(str, evidence)) if isinstance(evidence, list) else str(evidence)
    return [f"D{int(session)}:{int(turn)}" for session, turn in _TURN_ID.findall(text)]
