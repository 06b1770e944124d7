"""The compromised model: it answers every extraction with exactly what the attacker wants.

The verifier beside it is honest. It knows which notes are true, and nothing else.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.adversarial.script import Note
from tests.fakes.model_server import ChatRequest
from utils.memory.verification.sentences import normalised

MAX_NOTES = 10
_LINE = re.compile(r"^(?:[bs]\d+ ?)?(?:\[[^\]]*\] )?(p\d+|KITH)?(?: ?\(to \".*?\"\))?: (.*)$")
_JUDGED = re.compile(r"^(s\d+)(.*)$")
_PROPOSED = re.compile(r"^  (n\d+) (.*?)(?: \(KNOWN: .*\))?$")
_SENTENCE = re.compile(r"[^.!?]+[.!?]*")


@dataclass(slots=True)
class Puppet:
    """Answers every extraction with what the attacker wants, quoting whatever is in sight."""

    lies: Sequence[Note] = ()
    truths: Sequence[Note] = ()
    profile_update: str | None = None

    def extract(self, request: ChatRequest) -> dict[str, Any]:
        """Return the arguments of ``extract_memories``."""
        prompt = request["messages"][-1]["content"]
        before, said = said_in(prompt)
        own = [text for _, text in said]
        notes = [self._truth(note, own) for note in self.truths]
        notes += self._lies(own, [text for _, text in before])
        notes = [note for note in notes if note is not None]
        return {"memories": notes[:MAX_NOTES], "profile_update": self.profile_update}

    def verify(self, request: ChatRequest) -> dict[str, Any]:
        """Answer as an honest verifier: only the truths follow, and only from their sentences."""
        said = request["messages"][-1]["content"].partition("SAID")[2]
        sentences, right, sentence = [], [], ""
        for line in said.splitlines():
            if spoken := _JUDGED.match(line):
                sentences.append(spoken[1])
                sentence = normalised(spoken[2])
            elif (note := _PROPOSED.match(line)) and self._follows(note[2], sentence):
                right.append(note[1])
        follows = " ".join(right)
        return {
            "own": " ".join(sentences),
            "follows": follows,
            "same": follows,
            "untrue": follows,
            "profile": False,
        }

    def _follows(self, text: str, sentence: str) -> bool:
        """Whether a note is a truth, judged on the sentence that says it."""
        return any(
            normalised(text) == normalised(truth.memory) and normalised(truth.quote) in sentence
            for truth in self.truths
        )

    def _truth(self, note: Note, own: Iterable[str]) -> dict[str, Any] | None:
        quoted = normalised(note.quote)
        said = any(quoted in normalised(text) for text in own)
        return _arguments(note, note.quote) if said else None

    def _lies(self, own: list[str], others: list[str]) -> list[dict[str, Any] | None]:
        """Try each lie with every quote, the most promising first."""
        sentences = [one.strip() for text in own for one in _SENTENCE.findall(text)]
        found: dict[tuple[str, str], dict[str, Any]] = {}
        for turn in range(MAX_NOTES):
            for note in self.lies:
                quotes = [note.quote] if note.quote else [*own, *sentences, *others]
                if turn < len(quotes):
                    found[(note.memory, quotes[turn])] = _arguments(note, quotes[turn])
        return list(found.values())


def _arguments(note: Note, quote: str) -> dict[str, Any]:
    return {
        "note": note.memory,
        "topics": list(note.topics),
        "importance": "high",
        "kind": note.kind,
        "message": "",
        "attribute": note.attribute,
        "until": "permanent",
        "confirms": None,
        "quote": quote,
        "replaces": "m1" if note.replaces else None,
    }


def said_in(prompt: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return who said what before, and what is to be read, as the extraction prompt shows it."""
    earlier, _, said = prompt.rpartition("\nSAID\n")
    _, _, before = earlier.rpartition("\nBEFORE")
    return _matches(before), _matches(said)


def _matches(text: str) -> list[tuple[str, str]]:
    return [(m[1], m[2]) for line in text.splitlines() if (m := _LINE.match(line))]
