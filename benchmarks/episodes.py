"""How well chapters of a conversation are told apart, on boundaries labelled by reading.

    python -m benchmarks.episodes --data DIR [--json]

DIR has groupchat_1.json to groupchat_4.json (DiscordChatExporter's shape) and locomo_dev.json; what
is missing is left out. The labels, ids and headings without any text, are in episode_labels.json:
all of the group chats, sessions 1 to 8 of each LoCoMo conversation (and each session begins one).
Messages are given one by one, as the bot hears them, to ``utils.memory.boundaries`` with its
default policy. There is no model, so no running summary and no embeddings: words and voices only.
Bots' messages and turns without words are left out; a label on one moves to the next message.

A predicted boundary is right when a label is at most the tolerance away, one label for each:
*exact* 0 messages; *tolerant* 5 in the group chats, 1 in LoCoMo, as the labellers advise.
``precision`` is the share of predictions that are right, ``recall`` that of labels found.
``window_diff`` is WindowDiff (Pevzner and Hearst, 2002): the share of windows, half as long as the
mean labelled chapter, with another number of boundaries; 0 is best. A *flap* is a boundary fewer
than 5 messages after the one before, unless both are right (tolerantly). ``topics`` leaves out
boundaries at gaps of over 8 hours, labelled or predicted, which are a rule and no guess (the gaps
of groupchat_1 and _3 are artefacts of a 12-hour clock). Baselines: ``gap_only``; ``every_n``, at
gaps and at equal distances, as many as this conversation has labels; ``as_often`` the same, as many
as were predicted (both the mean of eight phases). The halves: ``tuned`` on, and ``held_out``.
``ms`` is the processor time of one message, without its stems, which are made when it is stored.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from statistics import quantiles
from typing import Any

from utils.memory.boundaries import DEFAULT_BOUNDARIES, Chapter, divide, follow
from utils.memory.replay_data import load
from utils.memory.storable import storable
from utils.model.memory import Event, Role

LABELS = Path(__file__).with_name("episode_labels.json")
LOCOMO_FILE = "locomo_dev.json"
GROUP, PAIR = "group", "pair"
TOLERANCE = {GROUP: 5, PAIR: 1}  # messages
FLAP = 5  # messages
PHASES = 8
TUNED = frozenset(["groupchat_1.json", "groupchat_2.json", "conv-26", "conv-30", "conv-41"])
COLUMNS = ("labelled", "predicted", "precision", "recall", "f1", "window_diff")


@dataclass(frozen=True, slots=True)
class Talk:
    """One labelled conversation: its events, and the indexes that start a chapter.

    ``missing`` counts labels whose message the file does not have.
    """

    name: str
    kind: str
    events: tuple[Event, ...]
    starts: tuple[int, ...]
    missing: int = 0

    @property
    def gaps(self) -> frozenset[int]:
        """The indexes that follow a gap so long that a chapter ends by rule."""
        longest = DEFAULT_BOUNDARIES.longest_gap
        pairs = enumerate(pairwise(self.events), start=1)
        return frozenset(i for i, (a, b) in pairs if b.created_at - a.created_at > longest)


# --- reading ---------------------------------------------------------------------------------


def talks(folder: Path, labels: Mapping[str, Any]) -> list[Talk]:
    """Return the labelled conversations that a folder has."""
    found: list[Talk] = []
    for file, labelled in labels.items():
        if (folder / file).is_file():
            if file == LOCOMO_FILE:
                found += _pairs(folder / file, labelled)
            else:
                found.append(_group(folder / file, labelled["boundaries"]))
    return found


def _group(file: Path, labels: Mapping[str, str]) -> Talk:
    said = json.loads(file.read_text(encoding="utf-8"))["messages"]
    turns = [
        (
            str(one["id"]),
            int(one["author"]["id"]),
            one["author"]["name"],
            "" if one["author"].get("isBot") else one["content"],
            datetime.fromisoformat(one["timestamp"]),
        )
        for one in said
    ]
    return _talk(file.name, GROUP, turns, labels)


def _pairs(file: Path, labels: Mapping[str, Any]) -> Iterable[Talk]:
    _, conversations = load(file)
    for one in conversations:
        labelled = labels.get(one.name)
        if labelled is None:
            continue
        turns, session = [], ""
        boundaries = dict(labelled["boundaries"])
        for said in one.messages:
            now = said.evidence.partition(":")[0]
            if int(now.removeprefix("D")) > labelled["sessions"]:
                break
            if now != session and session:
                boundaries.setdefault(said.evidence, "a session begins")
            session, name = now, one.people[said.speaker]
            turns.append((said.evidence, said.speaker + 1, name, said.text, said.said_at))
        yield _talk(one.name, PAIR, turns, boundaries)


def _talk(
    name: str,
    kind: str,
    turns: Sequence[tuple[str, int, str, str, datetime]],
    labels: Mapping[str, str],
) -> Talk:
    events: list[Event] = []
    starts: set[int] = set()
    found = 0
    for message, author, author_name, text, at in turns:
        if message in labels:
            found += 1
            starts.add(len(events))
        if text.strip():
            events.append(
                storable(
                    Event(1, 1, 1, len(events) + 1, author, author_name, Role.MEMBER, text, at)
                )
            )
    inside = sorted(start for start in starts if 0 < start < len(events))
    return Talk(name, kind, tuple(events), tuple(inside), len(labels) - found)


# --- replaying and scoring -------------------------------------------------------------------


def replay(events: Sequence[Event]) -> tuple[list[int], list[float]]:
    """Return where chapters start, given one message at a time, and each one's milliseconds."""
    chapter, undecided, first = Chapter(), [], 0
    starts: list[int] = []
    times: list[float] = []
    for event in events:
        undecided.append(event)
        began = time.thread_time()
        division = divide(chapter, undecided)
        chapter = follow(chapter, undecided, division)
        times.append((time.thread_time() - began) * 1000)
        starts += (first + start for start in division.starts)
        first += division.settled
        undecided = undecided[division.settled :]
    return starts, times


def matched(predicted: Sequence[int], labelled: Sequence[int], tolerance: int) -> list[int]:
    """Return which predictions have a label near enough, each label serving one; both sorted."""
    right, place = [], 0
    for one in predicted:
        while place < len(labelled) and labelled[place] < one - tolerance:
            place += 1
        if place < len(labelled) and labelled[place] <= one + tolerance:
            right.append(one)
            place += 1
    return right


@dataclass(slots=True)
class Tally:
    """Counts that can be added up; ratios are made of their sums."""

    messages: float = 0
    labelled: float = 0
    predicted: float = 0
    exact: float = 0
    tolerant: float = 0
    flaps: float = 0
    windows: float = 0
    wrong_windows: float = 0

    def add(self, other: "Tally", weight: float = 1.0) -> None:
        """Count another conversation, or a part of one, in."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + weight * getattr(other, name))

    def summary(self) -> dict[str, Any]:
        """Return what is printed of it."""
        return {
            "messages": round(self.messages),
            "labelled": round(self.labelled, 1),
            "predicted": round(self.predicted, 1),
            "exact": self._ratios(self.exact),
            "tolerant": self._ratios(self.tolerant),
            "window_diff": _share(self.wrong_windows, self.windows),
            "flaps_per_100": round(100 * self.flaps / self.messages, 2) if self.messages else 0.0,
        }

    def _ratios(self, right: float) -> dict[str, float]:
        return {
            "precision": _share(right, self.predicted),
            "recall": _share(right, self.labelled),
            "f1": _share(2 * right, self.predicted + self.labelled),
        }


def _share(part: float, whole: float) -> float:
    return round(part / whole, 3) if whole else 0.0


def score(talk: Talk, predicted: Iterable[int], leave_out: frozenset[int] = frozenset()) -> Tally:
    """Compare predictions with a conversation's labels, but for the boundaries left out."""
    found = sorted(set(predicted) - leave_out)
    labelled = sorted(set(talk.starts) - leave_out)
    right = matched(found, labelled, TOLERANCE[talk.kind])
    sure = frozenset(right)
    near = [(a, b) for a, b in pairwise(found) if b - a < FLAP]
    windows, wrong = _window_diff(found, labelled, len(talk.events))
    return Tally(
        messages=len(talk.events),
        labelled=len(labelled),
        predicted=len(found),
        exact=len(matched(found, labelled, 0)),
        tolerant=len(right),
        flaps=sum(not (a in sure and b in sure) for a, b in near),
        windows=windows,
        wrong_windows=wrong,
    )


def _window_diff(found: Sequence[int], labelled: Sequence[int], messages: int) -> tuple[int, int]:
    """Return how many windows there are, and in how many the number of boundaries differs."""
    size = max(1, round(messages / (len(labelled) + 1) / 2))
    difference = [0] * (messages + 1)
    for sign, starts in ((1, found), (-1, labelled)):
        for start in starts:
            difference[start] += sign
    sums = [0]
    for one in difference[:messages]:
        sums.append(sums[-1] + one)
    windows = range(max(0, messages - size))
    return len(windows), sum(sums[i + size + 1] != sums[i + 1] for i in windows)


def every_n(talk: Talk, count: int, leave_out: frozenset[int]) -> Tally:
    """Score so many boundaries at equal distances, and those at gaps; the mean of the phases."""
    mean, messages = Tally(), len(talk.events)
    for phase in range(PHASES if count else 0):
        step = messages / count
        places = (round(step * (number + phase / PHASES)) for number in range(count))
        regular = {place for place in places if 0 < place < messages}
        mean.add(score(talk, regular | talk.gaps, leave_out), 1 / PHASES)
    return mean


# --- the whole -------------------------------------------------------------------------------


def measure(found: Sequence[Talk]) -> dict[str, Any]:
    """Return the figures of each conversation, of both halves by kind, and of all."""
    tallies: dict[str, dict[str, Tally]] = {}
    times: list[float] = []
    result: dict[str, Any] = {"conversations": {}}
    for talk in found:
        starts, spent = replay(talk.events)
        times += spent
        own: dict[str, Tally] = {}
        for view, left_out in (("all", frozenset()), ("topics", talk.gaps)):
            own[view] = score(talk, starts, left_out)
            own[f"{view}, every_n"] = every_n(talk, len(set(talk.starts) - talk.gaps), left_out)
            own[f"{view}, as_often"] = every_n(talk, len(set(starts) - talk.gaps), left_out)
            own[f"{view}, gap_only"] = score(talk, talk.gaps, left_out)
        result["conversations"][talk.name] = {
            "labels_missing": talk.missing,
            **{name: tally.summary() for name, tally in own.items()},
        }
        half = "tuned" if talk.name in TUNED else "held_out"
        for group in (f"{half} {talk.kind}", half, talk.kind, "total"):
            sums = tallies.setdefault(group, {name: Tally() for name in own})
            for name, tally in own.items():
                sums[name].add(tally)
    result |= {
        group: {name: tally.summary() for name, tally in sums.items()}
        for group, sums in sorted(tallies.items())
    }
    cuts = quantiles([*times, 0.0], n=100)
    return result | {"ms": {"p50": round(cuts[49], 3), "p95": round(cuts[94], 3)}}


def table(result: Mapping[str, Any]) -> str:
    """Return the tolerant figures for people."""
    lines = [f"{'':34}{''.join(f'{name:>13}' for name in COLUMNS)}{'flaps/100':>13}"]
    groups = {name: one for name, one in result.items() if name not in ("conversations", "ms")}
    for name, views in {**result["conversations"], **groups}.items():
        for view, one in views.items():
            if view != "labels_missing":
                flat = {**one, **one["tolerant"]}
                cells = "".join(f"{flat[column]:>13}" for column in COLUMNS)
                lines.append(f"{f'{name}: {view}':34}{cells}{one['flaps_per_100']:>13}")
    times = result["ms"]
    lines.append(
        f"a message takes, in processor time, {times['p50']} ms (median), {times['p95']} ms (95 %)"
    )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 2 where the folder has none of the conversations."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.episodes", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--data", type=Path, required=True, help="folder of the conversations")
    parser.add_argument("--labels", type=Path, default=LABELS, help="other labels than the own")
    options = parser.parse_args(arguments)
    found = talks(options.data, json.loads(options.labels.read_text(encoding="utf-8")))
    if not found:
        print(f"None of the labelled conversations is in {options.data}.", file=sys.stderr)
        return 2
    result = measure(found)
    print(json.dumps(result, indent=2) if options.json else table(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
