#!/bin/sh
# chat-export 1.1.2 (PyPI, CPython 3.11), which makes pages of WhatsApp's exports. In an export from America that has no day after the 12th,
# 12/4/26, a Friday, is taken for the 12th of April and gets its weekday, "Sun", in spite of "AM". Dates of the command line are read
# month first: from 12/04/2026 on there is no message, though all are of that day or later. A group renamed to "Trip: Friday" is a
# sender by the name of 'Ada changed the group name to "Trip', who says 'Friday"'. Hearts and arrows break: "I <3 you" is "I [3 you".
# Source: its README: "export just an excerpt of a chat from a specific date range", "keep the chat as a record for years to come"; its
# help: dates may be MM/DD/YYYY; get_date_format in chat_export.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "chat-export==1.1.2"
cd "$folder"
cat >"WhatsApp Chat with Trip.txt" <<'TEXT'
12/4/26, 10:16 AM - Ada changed the group name to "Trip: Friday"
12/4/26, 10:17 AM - Ada: I <3 you all
12/5/26, 10:18 AM - Ben: 5 < 6 -> cheap
TEXT
venv/bin/python -m zipfile -c trip.zip "WhatsApp Chat with Trip.txt"
venv/bin/chat-export -n -z trip.zip -p Ada -o pages >log
{
  grep 'class="message' pages/trip/chat.html | sed 's/<[^>]*>/ /g; s/&quot;/"/g; s/  */ /g'
  venv/bin/chat-export -n -z trip.zip -p Ada -o fewer --from-date 12/04/2026 2>&1 | grep filter || true
} >seen
cat seen
cat >expected <<'TEXT'
 Ada changed the group name to "Trip Friday" Sun, 12/4/26, 10:16 AM (#1) 
 Ada I [3 you all Sun, 12/4/26, 10:17 AM (#2) 
 Ben 5 [ 6 -] cheap Tue, 12/5/26, 10:18 AM (#3) 
0 of 3 messages match date range filter.
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
