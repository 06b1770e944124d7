#!/bin/sh
# deliverfresh-whatsapp-order 0.1.9 (PyPI, CPython 3.11), which makes one list of products of orders by WhatsApp. "No" is taken
# for a unit like "kg": of "no onions" and "no garlic in it" it makes "onion" and "garlic in it", which are bought. A line with
# the letters "or" in it is dropped, and with it coriander, corn, pork and oranges; so is one with "please", "sorry" or "today".
# What stands on the line with the time and the name, where each message begins, is dropped too: rice and carrots are not
# bought. One line in four is left of these orders.
# Source: its README: "Clean and normalize WhatsApp chat orders into structured product lists", "Remove quantities, duplicates,
# punctuation"; clean.py: no in the units of normalize, "or" in exclude_contains. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "deliverfresh-whatsapp-order==0.1.9"
cd "$folder"
cat >chat.txt <<'TEXT'
30/11/2026, 18:02 - Ada: Hi, my order:
2 kg tomatoes
1 bunch coriander
no onions
3 corn
500g pork
2 oranges
potatoes 2kg please
30/11/2026, 18:05 - Ben: 3 kg rice
no garlic in it
30/11/2026, 18:09 - Cy: carrots
TEXT
venv/bin/python - >seen <<'PY'
from pathlib import Path

from deliverfresh_whatsapp_order import clean_chat_file

clean_chat_file("chat.txt", "products.txt")
print(Path("products.txt").read_text())
PY
cat seen
cat >expected <<'TEXT'
garlic in it
onion
tomato
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
