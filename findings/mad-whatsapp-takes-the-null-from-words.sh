#!/bin/sh
# mad-whatsapp 0.6 (PyPI, CPython 3.11), which makes an array of messages of an export of WhatsApp. "null", which such files
# have in place of some calls, is taken out of whatever has it, in capitals too: "The contract is nullified" is "The contract
# is ified", and in German, where it is the number nought, "Null Alkohol für mich" is "Alkohol für mich". AM and PM are not
# read: a dinner at 9:05 PM is at 09:05. Of a message of several lines only the first is kept from a file, and from a text they
# are one word. A file whose days are all below the 13th is read month first: 05/12, where the day comes first, is 12 May.
# The notice about encryption, with which each export begins, ends all with a TypeError.
# Source: its summary, "Parses Whatsapp conversations", and its README, which promises the messages of "a whatsapp conversation
# export" with timestamp, author and text; IGNORE_MESSAGES and CONTENT_PATTERN in wap.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "mad-whatsapp==0.6"
cd "$folder"
cat >american.txt <<'TEXT'
11/28/26, 9:05 PM - Ada: Dinner is at nine
11/28/26, 9:06 PM - Ben: I bring
bread
but no wine
11/28/26, 9:07 PM - Ada: The contract is nullified
TEXT
cat >german.txt <<'TEXT'
05/12/2026, 21:05 - Ada: Null Alkohol für mich
TEXT
cat >begin.txt <<'TEXT'
11/28/26, 9:00 PM - Messages and calls are end-to-end encrypted.
TEXT
cat begin.txt american.txt >whole.txt
venv/bin/python - >seen <<'PY'
from pathlib import Path

from mad_whatsapp import parse_whatsapp_conversation, parse_whatsapp_file

for name in ("american.txt", "german.txt"):
    for message in parse_whatsapp_file(name):
        print(*(value.strip() for value in message.values()), sep=" | ")
print("as a text:", parse_whatsapp_conversation(Path("american.txt").read_text())[1]["content"])
try:
    parse_whatsapp_file("whole.txt")
except TypeError as error:
    print("with its first line:", type(error).__name__)
PY
cat seen
cat >expected <<'TEXT'
28/11/2026 09:05 | Ada | Dinner is at nine
28/11/2026 09:06 | Ben | I bring
28/11/2026 09:07 | Ada | The contract is ified
12/05/2026 21:05 | Ada | Alkohol für mich
as a text: I bringbreadbut no wine
with its first line: TypeError
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
