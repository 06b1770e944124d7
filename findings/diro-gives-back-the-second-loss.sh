#!/bin/sh
# diro-py 0.1.1 (PyPI, CPython 3.11), a calculator of dice for role-play bots. What is of the same rank is worked out from the
# right: who has 10 points and loses 3 and 2 has 9 ("10-3-2"), who loses 3 and is healed by 2 has 5, half of 8 twice is 4
# ("8/4*2" is 1 and "8/4/2" is 4), each as if there were brackets. The brackets that somebody does write are left out of what
# is shown, so that "10-(3-2)" and "10-3-2" look alike and are 9 both times. Halves are cut off, "7/2+7/2" is 6, and of dice with
# bonus ones it shows a hundred sides whatever they have.
# Source: its README, "3D6K1+1*(10+1)*2=6+1*(10+1)*2=28", where nothing is subtracted or divided; the order of operations from
# left to right, as in the language that it is made for. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "diro-py==0.1.1"
cd "$folder"
venv/bin/python - >seen <<'PY'
from diro import parse

for text in ("10-3-2", "10-(3-2)", "10-3+2", "8/4/2", "8/4*2", "7/2+7/2", "2+3*4", "3d1+10-1d1-4d1", "d20b1"):
    roll = parse(text)
    roll.roll()
    number = "" if "b" in text else f" = {roll.calc()}, in Python {eval(text.replace('d1', ''))}"
    print(f"{text} is shown as {roll}{number}")
PY
cat seen
cat >expected <<'TEXT'
10-3-2 is shown as 10-3-2 = 9, in Python 5
10-(3-2) is shown as 10-3-2 = 9, in Python 9
10-3+2 is shown as 10-3+2 = 5, in Python 9
8/4/2 is shown as 8/4/2 = 4, in Python 1.0
8/4*2 is shown as 8/4*2 = 1, in Python 4.0
7/2+7/2 is shown as 7/2+7/2 = 6, in Python 7.0
2+3*4 is shown as 2+3*4 = 14, in Python 14
3d1+10-1d1-4d1 is shown as 3D1+10-1D1-4D1 = 16, in Python 8
d20b1 is shown as D100B1
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
