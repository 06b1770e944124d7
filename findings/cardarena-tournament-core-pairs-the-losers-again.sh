#!/bin/sh
# cardarena-tournament-core 1.5.0 (PyPI, CPython 3.11), pairings for evenings of cards. A Swiss round pairs from the top down and
# never goes back: each takes the best that is left, and the last two meet again though all six could have met somebody new.
# Of the 64 ways in which two rounds of six can end without a draw, 28 lead to such a match in the third; below one of them,
# after which E and F meet once more, though A-C, B-E and D-F were to be had. With five, the free win of a round goes to the
# last that is left, had or not: in 10 of 16 ways one member has two of three.
# Source: its README: "Swiss pairing - points-based greedy matching, rematch avoidance"; the docstrings of Swiss, "avoiding
# rematches where possible", and of _find_opponent, "used as a last resort". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "cardarena-tournament-core==1.5.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from itertools import product

from cardarena_tournament_core import MatchupOutcome, Player, Swiss

WINS = (MatchupOutcome.PLAYER1_WINS, MatchupOutcome.PLAYER2_WINS)


def play(names, results):
    """Return the pairs of three rounds, of which the results of the first two are given."""
    swiss = Swiss([Player(id=name, name=name) for name in names])
    results = iter(results)
    rounds = []
    for number in range(3):
        turn = swiss.pair()
        rounds.append([(pair.player1.id, pair.player2.id if pair.player2 else "") for pair in turn.matchups])
        for pair in turn.matchups:
            if pair.player2 and number < 2:
                pair.outcome = next(results)
        if number < 2:
            swiss.submit_results(turn)
    return rounds


def new_pairs(names, met):
    """Return pairs of all names that have not met, or None."""
    if not names:
        return []
    for other in names[1:]:
        if {names[0], other} not in met:
            rest = new_pairs([name for name in names[1:] if name != other], met)
            if rest is not None:
                return [(names[0], other), *rest]
    return None


avoidable = []
for results in product(WINS, repeat=6):
    *before, last = play("ABCDEF", results)
    met = [{*pair} for turn in before for pair in turn]
    others = new_pairs(list("ABCDEF"), met)
    if others and any({*pair} in met for pair in last):
        avoidable.append((before, last, others))
print(len(avoidable), "of 64")
before, last, others = avoidable[-1]
print("first:", *("-".join(pair) for pair in before[0]))
print("second:", *("-".join(pair) for pair in before[1]))
print("third:", *("-".join(pair) for pair in last))
print("possible:", *("-".join(pair) for pair in others))
twice = sum(
    max([free for turn in play("ABCDE", results) for free, other in turn if not other].count(name) for name in "ABCDE") > 1
    for results in product(WINS, repeat=4)
)
print("five members, two free wins for one:", twice, "of 16")
PY
cat seen
cat >expected <<'TEXT'
28 of 64
first: A-B C-D E-F
second: B-D F-A C-E
third: D-A B-C F-E
possible: A-C B-E D-F
five members, two free wins for one: 10 of 16
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
