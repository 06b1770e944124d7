#!/bin/sh
# blobchat 0.1.0 (PyPI, CPython 3.11), which turns chat into "meaningful text". Of three equal characters one is taken away, also of digits:
# who owes 1000 euros owes 100, and 20000 is 200. "Not" is "sarcastic negation", "mother" an "iconic person", "so" a significant
# other, "tea at 5 pm" gossip at five private message. Signs go, so 1.5 litres are 15 and half past five is 530; and what stands between
# two signs of "less" and "greater" is gone with them. A word with a comma behind it stays: "not," is "not".
# Source: README: "A lightweight Python library for transforming raw chat text into structured, meaningful data"; CHAT_DICT in
# blobchat/slang_dict.py and ChatCleaner in cleaner.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "blobchat==0.1.0"
cd "$folder"
venv/bin/python - <<'PY' >seen
from blobchat import clean

for text in (
    "idk, see u tmrw",
    "Ben owes me 1000 euros",
    "It costs 20000",
    "I do not love my mother",
    "Not, I think",
    "I was so tired",
    "Tea at 5 pm",
    "1.5 litres at 17:30",
    "3 < 5, do not come, 7 > 5",
):
    print(text, "->", clean(text))
PY
cat seen
cat >expected <<'TEXT'
idk, see u tmrw -> idk see you tomorrow
Ben owes me 1000 euros -> ben owes me 100 euros
It costs 20000 -> it costs 200
I do not love my mother -> i do sarcastic negation love my iconic person
Not, I think -> not i think
I was so tired -> i was significant other tired
Tea at 5 pm -> gossip at five private message
1.5 litres at 17:30 -> 15 litres at 1730
3 < 5, do not come, 7 > 5 -> three  five
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
