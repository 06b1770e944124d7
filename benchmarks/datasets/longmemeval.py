"""Reads LongMemEval's questions as dialogues of one person each, without facts."""

from datetime import UTC, datetime, timedelta
from typing import Any

from benchmarks.datasets.dialogues import Dialogue, DialogueMessage, DialogueQuestion
from benchmarks.datasets.locomo import FIRST_DAY, SESSION_GAP, TURN_S

PERSON = "User"


def read_longmemeval(entry: dict[str, Any]) -> Dialogue:
    """Return the messages before one question, and the question; sessions do not overlap."""
    dialogue = Dialogue(entry["id"], [PERSON])
    start = last = FIRST_DAY - timedelta(days=3650)
    for evidence, text, at, place in entry["msgs"]:
        if place == 0 or not dialogue.messages:
            start = max(datetime.fromisoformat(at).replace(tzinfo=UTC), last + SESSION_GAP)
        last = start + timedelta(seconds=TURN_S * place)
        dialogue.messages.append(DialogueMessage(evidence, 0, text, last))
    asked_at = max(datetime.fromisoformat(entry["at"]).replace(tzinfo=UTC), last + SESSION_GAP)
    gold = frozenset(entry["gold"])
    dialogue.questions.append(DialogueQuestion(entry["q"], gold, (0,), asked_at, 0, entry["a"]))
    return dialogue
