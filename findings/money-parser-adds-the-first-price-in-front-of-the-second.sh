#!/bin/sh
# money-parser 0.0.1 (PyPI, CPython 3.11), which reads prices out of texts. Blanks are taken out before anything is looked for, and
# digits that stand one after the other are one price: "10 20" is 1020, "room 12 30 EUR" 1230, "7 3,50" 73.50, and of "10, 20,
# 30" it makes 1020.30. A day before the price is a part of it, "30.11. 15 EUR" is 3011.15. Several prices are an error, as the
# documentation has it, only where some other sign is between them.
# Source: its README: "If raw price does not contain valid price value or contains more than one price value, then return default
# value. If default value not set, then raise ValueError"; price_str in money_parser/__init__.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "money-parser==0.0.1"
cd "$folder"
venv/bin/python -W ignore - >seen <<'PY'
from money_parser import price_str

for text in (
    "₹1,50,087.99",
    "5-10 EUR",
    "2 x 5 EUR",
    "10 20",
    "10, 20, 30",
    "room 12 30 EUR",
    "7 3,50",
    "3.5 4.5",
    "30.11. 15 EUR",
):
    print(f"{text}: {price_str(text, default='more than one')}")
PY
cat seen
cat >expected <<'TEXT'
₹1,50,087.99: 150087.99
5-10 EUR: more than one
2 x 5 EUR: more than one
10 20: 1020
10, 20, 30: 1020.30
room 12 30 EUR: 1230
7 3,50: 73.50
3.5 4.5: 354.5
30.11. 15 EUR: 3011.15
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
