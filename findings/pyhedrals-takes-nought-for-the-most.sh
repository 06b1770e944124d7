#!/bin/sh
# pyhedrals 0.2.0 with sly 0.5 (PyPI, CPython 3.11), the dice of bots for Mastodon and IRC. A number of nought after an
# operator is taken for no number, and the operator's own default stands in its place: of a hundred dice "c>0" counts those
# above the most that a die can show, none, instead of all; to drop the nought lowest drops one, and to keep the nought
# highest keeps one. So a macro that puts in what a sheet says is right from one on and wrong at nought. Of several powers the
# first comes first: 2^3^2 is 64, and -2^2 is 4.
# Source: the README, where c># "counts the number of dice that roll over a threshold" and dl# drops "only the # lowest"; the
# truth of a number in "self._sumExpr(p) or rollList.numSides" in pyhedrals/pyhedrals.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "pyhedrals==0.2.0" "sly==0.5"
cd "$folder"
cat >roll.py <<'PY'
from pyhedrals import DiceRoller

roller = DiceRoller()
for typed in ("100d1c1", "100d6c>0", "4d1dl2", "4d1dl1", "4d1dl0", "4d1kh2", "4d1kh1", "4d1kh0", "2^3^2", "-2^2"):
    print(typed, "->", roller.parse(typed).result)
PY
venv/bin/python roll.py 2>/dev/null | tee seen
cat >expected <<'TEXT'
100d1c1 -> 100
100d6c>0 -> 0
4d1dl2 -> 2
4d1dl1 -> 3
4d1dl0 -> 3
4d1kh2 -> 2
4d1kh1 -> 1
4d1kh0 -> 1
2^3^2 -> 64
-2^2 -> 4
TEXT
cmp seen expected
