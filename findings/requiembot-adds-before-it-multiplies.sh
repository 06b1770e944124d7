#!/bin/sh
# RequiemBot 0.2.1 (PyPI, CPython 3.11), a bot that rolls dice on Discord and reckons with them. It adds and
# subtracts before it multiplies and divides, against its own grammar, in which * and / bind closer: 2+3*4 is 20, 10-2*3 is
# 24, and 20/2+3 is 4, so a die that shows one and twice a bonus of three are 9, not 7. What it shows members is the sum as
# they wrote it with that result below. What stands after the first whole expression is passed over without a word: of "1d1
# (2+3)" and of "2d1 3" only the dice are rolled, and a power, for which it has a sign of its own, is left out: "2^3" is 2.
# Whoever means -1d1 is told that a positive number is expected.
# Source: parse() in requiembot/parser.py of the wheel: the grammar in its docstring (term: factor (("+" | "-") factor)*,
# factor: dice (("*" | "/") dice)*), and term() and factor() below it, which match the others' signs. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-deps "requiembot==0.2.1"
cd "$folder"
venv/bin/python - >seen <<'PY'
from requiembot.parser import ParseError, parse

for typed in ("2+3*4", "2+(3*4)", "10-2*3", "20/2+3", "1d1+2*3+1", "1d1 (2+3)", "2d1 3", "2^3", "-1d1"):
    try:
        result, shown = parse(typed).evaluate()
    except ParseError as error:
        print(f"{typed}: {error}")
    else:
        print(f"{typed}: {shown} = {result}")
PY
cat seen
cat >expected <<'TEXT'
2+3*4: 2 + 3 * 4 = 20
2+(3*4): 2 + (3 * 4) = 14
10-2*3: 10 - 2 * 3 = 24
20/2+3: 20 / 2 + 3 = 4
1d1+2*3+1: [1] + 2 * 3 + 1 = 12
1d1 (2+3): [1] = 1
2d1 3: [1, 1] = 2
2^3: 2 = 2
-1d1: Positive integer expected before `d`
TEXT
cmp expected seen
