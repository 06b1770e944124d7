#!/bin/sh
# whatsapp-chat-to-pdf 0.1.0 (PyPI, CPython 3.11), which makes a PDF of a chat exported from WhatsApp. What was written on 29
# February stands on the 28th, under that day's name. What members say with "left", "added", "changed", "removed" or "joined"
# in it is a notice of the program ("[system] I left my bag at your place"), and a file's name in a sentence makes it a
# picture. A group that is renamed to "Trip: Rome" has a participant called 'Ben changed the group name to "Trip'. Blank lines
# within a message are gone, and "at 5 p.m. then" is "at 5 PM then".
# Source: its docstrings: "text | media | call | deleted | system", and day = min(max(day, 1), 28) in February "so a malformed
# line never crashes a whole export"; 2024 and 2028 have such a day. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "whatsapp-chat-to-pdf==0.1.0" 2>"$folder/pip.log"
cd "$folder"
cat >chat.txt <<'TEXT'
28.02.24, 18:05 - Ada Doe: Is the party tomorrow?
29.02.24, 18:05 - Ada Doe: I left my bag at your place
29.02.24, 18:06 - Ben: Come at 5 p.m. then

and bring bread
01.03.24, 09:00 - Ada Doe: Leo changed his mind
01.03.24, 09:01 - Ben: I joined a choir
01.03.24, 09:02 - Ben: recipe.doc is by Eva
01.03.24, 09:03 - Ben changed the group name to "Trip: Rome"
TEXT
venv/bin/python - >seen <<'PY'
from whatsapp_chat_to_pdf.parser import parse_file

chat = parse_file("chat.txt")
for message in chat.messages:
    print(f"{message.timestamp:%a %d %b %H:%M}", message.sender, f"[{message.type}]", repr(message.text))
print("participants:", *chat.participants, sep="\n  ")
PY
cat seen
cat >expected <<'TEXT'
Wed 28 Feb 18:05 Ada Doe [text] 'Is the party tomorrow?'
Wed 28 Feb 18:05 Ada Doe [system] 'I left my bag at your place'
Wed 28 Feb 18:06 Ben [text] 'Come at 5 PM then\nand bring bread'
Fri 01 Mar 09:00 Ada Doe [system] 'Leo changed his mind'
Fri 01 Mar 09:01 Ben [system] 'I joined a choir'
Fri 01 Mar 09:02 Ben [media] 'recipe.doc is by Eva'
Fri 01 Mar 09:03 Ben changed the group name to "Trip [text] 'Rome"'
participants:
  Ada Doe
  Ben
  Ben changed the group name to "Trip
TEXT
cmp seen expected
