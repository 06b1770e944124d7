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

``topics`` leaves out boundaries at gaps of over 8 hours, labelled or predicted: they follow from a
rule (the gaps of groupchat_1 and _3 are artefacts of a 12-hour clock). The baseline, ``every_n``,
predicts the gaps and boundaries at equal distances, as many as this conversation has labels; it is
the mean of eight phases. The data has two halves: ``tuned`` was used for tuning, ``held_out`` was
not.
"""

import json
import sys
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
COLUMNS = ("labelled", "predicted", "precision", "recall", "f1")


@dataclass(frozen=True, slots=True)
class LabelledConversation:
    """One labelled conversation: its events, and the indexes that start an episode.

    ``missing`` counts labels whose message the file does not have.
    """

    name: str
    kind: str
    events: tuple[Event, ...]
    starts: tuple[int, ...]
    missing: int = 0

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
                conversations.append(_group(folder / file, labelled["boundaries"]))
    return conversations


def _group(file: Path, labels: Mapping[str, str]) -> LabelledConversation:
    messages = json.loads(file.read_text(encoding="utf-8"))["messages"]
    turns = [
        (
            str(message["id"]),
            int(message["author"]["id"]),
            message["author"]["name"],
            "" if message["author"].get("isBot") else message["content"],
            datetime.fromisoformat(message["timestamp"]),
        )
        for message in messages
    ]
    return _conversation(file.name, GROUP, turns, labels)


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
    label_count = 0
    for message, author, author_name, text, at in turns:
        if message in labels:
            label_count += 1
            starts.add(len(events))
        if text.strip():
            events.append(
                storable(
                    Event(1, 1, 1, len(events) + 1, author, author_name, Role.MEMBER, text, at)
                )
            )
    inside = sorted(start for start in starts if 0 < start < len(events))
    return LabelledConversation(name, kind, tuple(events), tuple(inside), len(labels) - label_count)


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

    messages: float = 0
    labelled: float = 0
    predicted: float = 0
    right: float = 0

    def add(self, tally: "Tally", weight: float = 1.0) -> None:
        """Add the counts of another conversation, times ``weight``."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + weight * getattr(tally, name))

    def summary(self) -> dict[str, float]:
        """Return the printed figures."""
        return {
            "labelled": round(self.labelled, 1),
            "predicted": round(self.predicted, 1),
            "precision": _share(self.right, self.predicted),
            "recall": _share(self.right, self.labelled),
            "f1": _share(2 * self.right, self.predicted + self.labelled),
        }


def _share(part: float, total: float) -> float:
    return round(part / total, 3) if total else 0.0


def score(
    conversation: LabelledConversation,
    predicted: Iterable[int],
    leave_out: frozenset[int] = frozenset(),
) -> Tally:
    """Compare predictions with a conversation's labels, without the boundaries in ``leave_out``."""
    starts = sorted(set(predicted) - leave_out)
    labelled = sorted(set(conversation.starts) - leave_out)
    right = matched(starts, labelled, TOLERANCE[conversation.kind])
    return Tally(len(conversation.events), len(labelled), len(starts), right)


def every_n(conversation: LabelledConversation, count: int, leave_out: frozenset[int]) -> Tally:
    """Score ``count`` boundaries at equal distances and those at gaps; the mean of all phases."""
    mean, messages = Tally(), len(conversation.events)
    for phase in range(PHASES if count else 0):
        step = messages / count
        places = (round(step * (number + phase / PHASES)) for number in range(count))
        regular = {place for place in places if 0 < place < messages}
        mean.add(score(conversation, regular | conversation.gaps, leave_out), 1 / PHASES)
    return mean


# --- measuring -------------------------------------------------------------------------------


def measure(conversations: Sequence[LabelledConversation]) -> dict[str, Any]:
    """Return the figures of each conversation, of both halves by kind, and of all."""
    tallies: dict[str, dict[str, Tally]] = {}
    result: dict[str, Any] = {"conversations": {}}
    for conversation in conversations:
        starts = replay(conversation.events)
        by_view: dict[str, Tally] = {}
        for view, left_out in (("all", frozenset()), ("topics", conversation.gaps)):
            by_view[view] = score(conversation, starts, left_out)
            by_view[f"{view}, every_n"] = every_n(
                conversation, len(set(conversation.starts) - conversation.gaps), left_out
            )
        result["conversations"][conversation.name] = {
            "labels_missing": conversation.missing,
            **{name: tally.summary() for name, tally in by_view.items()},
        }
        half = "tuned" if conversation.name in TUNED else "held_out"
        for group in (f"{half} {conversation.kind}", half, conversation.kind, "total"):
            sums = tallies.setdefault(group, {name: Tally() for name in by_view})
            for name, tally in by_view.items():
                sums[name].add(tally)
    return result | {
        group: {name: tally.summary() for name, tally in sums.items()}
        for group, sums in sorted(tallies.items())
    }


def table(result: Mapping[str, Any]) -> str:
    """Return the figures as a table."""
    lines = [f"{'':34}{''.join(f'{name:>13}' for name in COLUMNS)}"]
    groups = {name: views for name, views in result.items() if name != "conversations"}
    for name, views in {**result["conversations"], **groups}.items():
        for view, tally in views.items():
            if view != "labels_missing":
                cells = "".join(f"{tally[column]:>13}" for column in COLUMNS)
                lines.append(f"{f'{name}: {view}':34}{cells}")
    return "\n".join(lines)


def measure_folder(
    _: Path,
    data: Annotated[Path, "folder of the conversations"],
    labels: Annotated[Path, "a file of other labels"] = LABELS,
) -> dict[str, Any]:
    """Return the figures of the conversations in a folder. Raises Unusable if there are none."""
    conversations = load_conversations(data, json.loads(labels.read_text(encoding="utf-8")))
    if not conversations:
        raise Unusable(f"None of the labelled conversations is in {data}.")
    return measure(conversations)


main = program("episodes", __doc__, measure_folder, text=table)


if __name__ == "__main__":
    sys.exit(main())
