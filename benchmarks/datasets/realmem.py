"""Reads RealMem's JSON as dialogues of one person each."""

from datetime import UTC, datetime, timedelta
from typing import Any

from benchmarks.datasets.dialogues import (
    Dialogue,
    DialogueFact,
    DialogueMessage,
    DialogueQuestion,
)
from benchmarks.datasets.locomo import FIRST_DAY, SESSION_GAP, TURN_S


def read_realmem(entry: dict[str, Any]) -> Dialogue:
    """Return one member's dialogue; a session with an earlier day than the last one moves later."""
    dialogue = Dialogue(entry["member"], [entry["member"]])
    days = {part["session"]: part["at"] for part in (*entry["queries"], *entry["memories"])}
    starts: dict[int, datetime] = {}
    last = FIRST_DAY - timedelta(days=3650)
    for session in sorted(days):
        day = datetime.strptime(days[session][:10], "%Y-%m-%d").replace(hour=12, tzinfo=UTC)
        last = starts[session] = max(day, last + SESSION_GAP)
    messages: dict[tuple[int, str], DialogueMessage] = {}
    for note in entry["memories"]:
        key = (note["session"], note["source"] or note["text"])
        if key not in messages:
            place = sum(1 for session, _ in messages if session == note["session"])
            said_at = starts[note["session"]] + timedelta(seconds=TURN_S * place)
            messages[key] = DialogueMessage(f"message {len(messages)}", 0, key[1], said_at)
        topics = tuple(map(str, note.get("topics") or ()))
        source = messages[key].evidence
        dialogue.facts.append(DialogueFact(str(note["id"]), 0, note["text"], source, topics))
    dialogue.messages += messages.values()
    for query in entry["queries"]:
        asked_at = starts[query["session"]] + SESSION_GAP / 2
        gold = frozenset(map(str, query["gold"]))
        if gold and query["rows_before"]:
            dialogue.questions.append(
                DialogueQuestion(query["text"], gold, (0,), asked_at, query["rows_before"])
            )
    return dialogue
