#!/bin/sh
# whatsappchattodf 0.1.3 with pandas 3.1.1 (PyPI, CPython 3.11), which makes a table of a WhatsApp chat that was exported on
# Android. Lines that are no words of anybody's ("<Media omitted>", a missed call, a contact) are thrown away before the
# lines below them are given to somebody: the caption of Ben's picture is then said by whoever spoke before him, at her time.
# So are the other lines of a message that speaks of a "Missed video call", whose first line goes too. Each message that has
# "deleted" anywhere in it is dropped, as if it had been: "I deleted my old account, write to the new one".
# Source: run() in whatsappchattodf.py of the wheel, which calls drop_message before clean_data, and the end of prepare_df.
# The README offers a table of the chat "for analysis". On Android a caption stands below the line of its picture
# (Pustur/whatsapp-chat-parser, issue 267). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "whatsappchattodf==0.1.3" "pandas==3.1.1"
cd "$folder"
cat >chat.txt <<'TEXT'
28/11/26, 14:06 - Ada: I am allergic to nuts
28/11/26, 14:07 - Ben: <Media omitted>
I ate the whole nut cake
28/11/26, 14:08 - Ada: I deleted my old account, write to the new one
28/11/26, 14:09 - Ben: I am awake
28/11/26, 14:10 - Ada: Your "Missed video call" was from me,
and I will not come
TEXT
venv/bin/python - <<'PY' | tee seen
from whatsappchattodf import WhatsappChatToDF

for row in WhatsappChatToDF("chat.txt").run().itertuples():
    print(f"{row.Timestamp:%H:%M} {row.User}: {row.Message}")
PY
cat >expected <<'TEXT'
14:06 Ada: I am allergic to nuts
14:06 Ada: I ate the whole nut cake
14:09 Ben: I am awake
14:09 Ben: and I will not come
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
