#!/bin/sh
# rich-input-handlr 1.0.3 (PyPI, CPython 3.11), which reads people's yes and no. What it does not know it compares letter by
# letter with what it knows, as a whole, so that a no that holds a long yes is that yes: "of course not", "please no" and "fine
# no" are True, and so are "say" and "may". "noon", which answers when, and "note" are no. The same words with a mark, "Of
# course not!", are uncertain, and what is uncertain is, by default, a coin: True or False.
# Source: its README, "accepts human-flavored yes/no input and gives you back a clean True / False / None", "catches stuff like
# 'yse', 'noo', 'mabe' without going too crazy with false positives", "already have the input from somewhere else (a bot, a GUI,
# whatever)?". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "rich-input-handlr==1.0.3"
cd "$folder"
venv/bin/python - >seen <<'PY'
from rich_input_handlr import RichInput

reader = RichInput(uncertain_behavior="none")
for text in ("yes", "of course not", "Of course not!", "please no", "fine no", "please don't", "say", "may", "noon", "note"):
    print(f"{text}: {reader.parse(text)}")
default = RichInput()
print("by default, 'Of course not!':", sorted({default.parse("Of course not!") for _ in range(100)}))
PY
cat seen
cat >expected <<'TEXT'
yes: True
of course not: True
Of course not!: None
please no: True
fine no: True
please don't: None
say: True
may: True
noon: False
note: False
by default, 'Of course not!': [False, True]
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
