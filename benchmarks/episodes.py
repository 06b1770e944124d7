"""Measures how well episodes are separated in conversations, against hand-labelled boundaries.

    python -m benchmarks.episodes --data DIR [--json]

DIR has groupchat_1.json to groupchat_4.json (DiscordChatExporter's format) and locomo_dev.json;
missing files are skipped. The labels are in episode_labels.json: message ids and headings without
any text. They cover all of the group chats, and sessions 1 to 8 of each LoCoMo conversation, where
each session also begins an episode. ``utils.memory.episodes.segmentation`` gets the messages one by
one, as the bot receives them, with its default policy. There is no model, so it has no running
summary and no embeddings: only words and speakers. Bots' messages and turns without words are left
out; a label on one moves to the next message.

A predicted boundary is right when a label is within the tolerance; each label counts once. The
tolerance is 5 messages in the group chats and 1 in LoCoMo, as the labellers advise. ``precision``
is the share of predictions that are right, ``recall`` the share of labels found.

Boundaries at gaps of over 8 hours, labelled or predicted, are left out: they follow from a rule
(the gaps of groupchat_1 and _3 are artefacts of a 12-hour clock). The baseline of ``every_n_f1``
predicts boundaries at equal distances, as many as this conversation has labels; it is the mean of
eight phases. The data has two halves: ``tuned`` was used for tuning, ``held_out`` was not.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

from benchmarks.datasets import load
from benchmarks.stage.program import Unusable, program
from utils.memory.episodes.segmentation import (
    DEFAULT_BOUNDARIES,
    BoundaryPolicy,
    EpisodeTail,
    Segmentation,
    segment,
)
from utils.memory.policy.storable_events import storable
from utils.models.memory import Event, Role

LABELS = Path(__file__).with_name("episode_labels.json")
LOCOMO_FILE = "locomo_dev.json"
GROUP, PAIR = "group", "pair"
TOLERANCE = {GROUP: 5, PAIR: 1}  # messages
PHASES = 8
TUNED = frozenset(["groupchat_1.json", "groupchat_2.json", "conv-26", "conv-30", "conv-41"])


@dataclass(frozen=True, slots=True)
class LabelledConversation:
    """One labelled conversation: its events, and the indexes that start an episode."""

    name: str
    kind: str
    events: tuple[Event, ...]
    starts: tuple[int, ...]

    @property
    def gaps(self) -> frozenset[int]:
        """The indexes that follow a gap so long that an episode ends by rule."""
        longest = DEFAULT_BOUNDARIES.max_gap
        pairs = enumerate(pairwise(self.events), start=1)
        return frozenset(i for i, (a, b) in pairs if b.created_at - a.created_at > longest)


# --- reading ---------------------------------------------------------------------------------


def load_conversations(folder: Path, labels: Mapping[str, Any]) -> list[LabelledConversation]:
    """Return the labelled conversations that a folder has."""
    conversations: list[LabelledConversation] = []
    for file, labelled in labels.items():
        if (folder / file).is_file():
            if file == LOCOMO_FILE:
                conversations += _pairs(folder / file, labelled)
            else:
                turns = [
                    (
                        str(message["id"]),
                        int(message["author"]["id"]),
                        message["author"]["name"],
                        "" if message["author"].get("isBot") else message["content"],
                        datetime.fromisoformat(message["timestamp"]),
                    )
                    for message in json.loads((folder / file).read_text("utf-8"))["messages"]
                ]
                conversations.append(_conversation(file, GROUP, turns, labelled["boundaries"]))
    return conversations


def _pairs(file: Path, labels: Mapping[str, Any]) -> Iterable[LabelledConversation]:
    _, conversations = load(file)
    for conversation in conversations:
        labelled = labels.get(conversation.name)
        if labelled is None:
            continue
        turns, session = [], ""
        boundaries = dict(labelled["boundaries"])
        for message in conversation.messages:
            now = message.evidence.partition(":")[0]
            if int(now.removeprefix("D")) > labelled["sessions"]:
                break
            if now != session and session:
                boundaries.setdefault(message.evidence, "a session begins")
            session, name = now, conversation.people[message.speaker]
            turns.append(
                (message.evidence, message.speaker + 1, name, message.text, message.said_at)
            )
        yield _conversation(conversation.name, PAIR, turns, boundaries)


def _conversation(
    name: str,
    kind: str,
    turns: Sequence[tuple[str, int, str, str, datetime]],
    labels: Mapping[str, str],
) -> LabelledConversation:
    events: list[Event] = []
    starts: set[int] = set()
    for message, author, author_name, text, at in turns:
        if message in labels:
            starts.add(len(events))
        if text.strip():
            events.append(
                storable(
                    Event(1, 1, 1, len(events) + 1, author, author_name, Role.MEMBER, text, at)
                )
            )
    inside = sorted(start for start in starts if 0 < start < len(events))
    return LabelledConversation(name, kind, tuple(events), tuple(inside))


# --- replaying and scoring -------------------------------------------------------------------


def replay(events: Sequence[Event]) -> list[int]:
    """Return the indexes of the events that start an episode."""
    tail, undecided, first = EpisodeTail(), [], 0
    starts: list[int] = []
    for event in events:
        undecided.append(event)
        division = segment(tail, undecided)
        tail = advance(tail, undecided, division)
        starts += (first + start for start in division.starts)
        first += division.settled
        undecided = undecided[division.settled :]
    return starts


def advance(
    tail: EpisodeTail,
    turns: Sequence[Event],
    segmentation: Segmentation,
    policy: BoundaryPolicy = DEFAULT_BOUNDARIES,
) -> EpisodeTail:
    """Return the tail of the episode that is open after the settled turns of a segmentation.

    The bot reads it from the database. A new episode has no summary.
    """
    settled = tuple(turns[: segmentation.settled])
    if segmentation.starts:
        return EpisodeTail(settled[segmentation.starts[-1] :][-policy.reach :])
    return EpisodeTail((*tail.turns, *settled)[-policy.reach :], tail.summary)


def matched(predicted: Sequence[int], labelled: Sequence[int], tolerance: int) -> int:
    """Return how many predictions have a label within ``tolerance``. Each label matches once.

    Both sequences must be sorted.
    """
    right = place = 0
    for start in predicted:
        while place < len(labelled) and labelled[place] < start - tolerance:
            place += 1
        if place < len(labelled) and labelled[place] <= start + tolerance:
            right += 1
            place += 1
    return right


@dataclass(slots=True)
class Tally:
    """Counts that can be added; ratios are computed from their sums."""

    labelled: float = 0
    predicted: float = 0
    right: float = 0

    def add(self, tally: "Tally", weight: float = 1.0) -> None:
        """Add the counts of another conversation, times ``weight``."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + weight * getattr(tally, name))

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return _share(2 * self.right, self.predicted + self.labelled)


def _share(part: float, total: float) -> float:
    return round(part / total, 3) if total else 0.0


def score(conversation: LabelledConversation, predicted: Iterable[int]) -> Tally:
    """Compare predictions with a conversation's labels, both without those at gaps."""
    starts = sorted(set(predicted) - conversation.gaps)
    labelled = sorted(set(conversation.starts) - conversation.gaps)
    right = matched(starts, labelled, TOLERANCE[conversation.kind])
    return Tally(len(labelled), len(starts), right)


def every_n(conversation: LabelledConversation) -> Tally:
    """Score as many boundaries at equal distances as there are labels; the mean of all phases."""
    mean, messages = Tally(), len(conversation.events)
    count = len(set(conversation.starts) - conversation.gaps)
    for phase in range(PHASES if count else 0):
        step = messages / count
        places = {round(step * (number + phase / PHASES)) for number in range(count)}
        mean.add(score(conversation, places & set(range(1, messages))), 1 / PHASES)
    return mean


# --- measuring -------------------------------------------------------------------------------


def measure(
    _: Path,
    data: Annotated[Path, "folder of the conversations"],
    labels: Annotated[Path, "a file of other labels"] = LABELS,
) -> dict[str, Any]:
    """Return the figures of each conversation in a folder, of both halves, and of all.

    Raises Unusable if there are no conversations.
    """
    conversations = load_conversations(data, json.loads(labels.read_text(encoding="utf-8")))
    if not conversations:
        raise Unusable(f"None of the labelled conversations is in {data}.")
    tallies: dict[str, tuple[Tally, Tally]] = defaultdict(lambda: (Tally(), Tally()))
    for conversation in conversations:
        replayed, regular = score(conversation, replay(conversation.events)), every_n(conversation)
        half = "tuned" if conversation.name in TUNED else "held_out"
        for group in (conversation.name, half, "total"):
            tallies[group][0].add(replayed)
            tallies[group][1].add(regular)
    return {
        "conversations": {
            group: {
                "labelled": tally.labelled,
                "predicted": tally.predicted,
                "precision": _share(tally.right, tally.predicted),
                "recall": _share(tally.right, tally.labelled),
                "f1": tally.f1,
                "every_n_f1": baseline.f1,
            }
            for group, (tally, baseline) in sorted(tallies.items())
        }
    }


main = program("episodes", __doc__, measure)


if __name__ == "__main__":
    sys.exit(main())
