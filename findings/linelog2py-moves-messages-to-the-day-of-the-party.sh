#!/bin/sh
# linelog2py 0.1.6 (PyPI, CPython 3.11), which reads the text files to which LINE exports a chat. A message of several
# lines may list days below an empty line. The first of them is taken for the heading of a new day: the line is gone
# from the message, and all that was said later that day was said on that day to come, until the file's next heading.
# Ben, who answers five minutes later, answers six days later. All quotation marks are taken out of what was said, and
# the lines of a message become one: a "no" that somebody quotes is the speaker's own.
# Source: Reader.readFile in linelog2py/reader.py of the wheel; the README ("import LINE chat history files for text
# analysis"), whose list of properties has textlines, the lines of a message. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "linelog2py==0.1.6"
cd "$folder"
{
    printf '[LINE] Chat history with Club\nSaved on: 2026/11/30 10:00\n\n2026/11/28(Sat)\n'
    printf '10:00\tAnna\t"Possible days for the party:\n\n2026/12/04 at home\n2026/12/11 at the club"\n'
    printf '10:05\tBen\tThe first one\n'
    printf '10:06\tCy\tMy boss says "no" to it\n'
    printf '\n2026/11/29(Sun)\n09:00\tAnna\tIt is settled then\n'
} >chat.txt
venv/bin/python -W ignore - <<'PY' | tee seen
from linelog2py import Reader

for message in Reader.readFile("chat.txt"):
    print(f"{message.time:%Y-%m-%d %H:%M} {message.username}: {message.asList()[-1]}")
PY
cat >expected <<'TEXT'
2026-11-28 10:00 Anna: Possible days for the party: 2026/12/11 at the club
2026-12-04 10:05 Ben: The first one
2026-12-04 10:06 Cy: My boss says no to it
2026-11-29 09:00 Anna: It is settled then
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
