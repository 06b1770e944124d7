"""The model of a simulation: scores, memories and summaries as the prompts ask for them."""

from itertools import count
from typing import Any

from tests.e2e.den import attentive
from tests.fakes.model_server import (
    ChatRequest,
    _least,
    _schema,
    prompt_of,
    summarises,
    support_all,
    verifies,
)
from tests.fakes.scribe import lines_said

ANSWER = "That is good to know."
HOT_EVERY, TOXIC_EVERY, QUARREL_LENGTH = 400, 150, 8


def score(number: int) -> dict[str, Any]:
    """Return the scripted score of the nth message: mostly calm, an insult now and then, and a
    quarrel of eight messages in every four hundred."""
    plain = {"sentiment": 0.1, "toxicity": 0.02, "tension": 0.1, "reason": "", "note_update": None}
    if number % HOT_EVERY < QUARREL_LENGTH:
        hot = {"sentiment": -0.8, "toxicity": 0.6, "tension": 0.95, "reason": "a quarrel"}
        return plain | hot
    if number % TOXIC_EVERY == TOXIC_EVERY - 1:
        return plain | {"sentiment": -0.9, "toxicity": 0.9, "tension": 0.7, "reason": "an insult"}
    return plain


class ScriptedModel:
    """Answers scoring, extraction and summary requests as their prompts ask."""

    def __init__(self) -> None:
        self._scored = count()

    def answer(self, request: ChatRequest) -> dict[str, Any]:
        """Return scores of a batch, memories of belongings, or an episode's summary."""
        if verifies(request):
            return support_all(request)
        prompt = prompt_of(request, "user")
        if summarises(request):
            summary = ". ".join(lines_said(prompt)[:3])
            return {**_least(_schema(request)), "summary": summary}
        if "MESSAGES\n" in prompt:
            return {
                "messages": [  # in the order of their lines
                    {"id": int(line[1 : line.index("]")]), **score(next(self._scored))}
                    for line in prompt.split("MESSAGES\n")[1].split("\n")
                ]
            }
        defaults = _least(_schema(request)["properties"]["memories"]["items"])
        noted = attentive(request)
        # An older checkout asks for properties that this one's answers no longer have.
        return noted | {"memories": [defaults | memory for memory in noted["memories"]]}
