#!/bin/sh
# chanalyze 0.3.9 (PyPI, CPython 3.11), which reads WhatsApp's exported chats into users and messages. The names are cut out by a
# pattern that may match anywhere in a message: what stands between " - " and a colon is taken for one more name, so that Ben's
# "I don't come - reason: work" is "I don't comework". A date with a time in a message begins another message: of "We meet on
# 5/12/2026, 19:30 at the club" only "We meet on" is left, and the rest belongs to nobody and is dropped without a word.
# Source: its README: "That *.txt is parsed, cleaned & objectified, so that it can be analyzed with ease", and in chat.py the
# docstring of _getMessage: "Extracts actual message sent by a certain user using regex". Its parts that draw, and what they
# need, are left out here. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile --no-deps "chanalyze==0.3.9" "python-dateutil==2.9.0.post0" "six==1.17.0"
cd "$folder"
cat >chat.txt <<'TEXT'
30/11/2026, 17:59 - Messages and calls are end-to-end encrypted.
30/11/2026, 18:00 - Ada: We meet on 5/12/2026, 19:30 at the club
30/11/2026, 18:01 - Ben: I don't come - reason: work
30/11/2026, 18:02 - Cy: a second line
follows here - note: bring tea
30/11/2026, 18:03 - Ada: See you
TEXT
venv/bin/python - >seen <<'PY'
from chanalyze.model.chat import Chat

for user in Chat.importFromText("chat.txt").users:
    print(user.name, [message.content for message in user.messages])
PY
cat seen
cat >expected <<'TEXT'
Ada ['We meet on', 'See you']
Ben ["I don't comework"]
Cy ['a second line\nfollows herebring tea']
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
