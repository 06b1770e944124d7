#!/bin/sh
# whatsapp-chat-analyzer 0.2.0 (PyPI, CPython 3.11), a parser of WhatsApp chats for Italian and English that tells texts from
# media, as its README's example filters them. Whatever has "omess" and another letter in it is media, not a text: so is
# each promise in Italian ("promessa", "promesso"), in English what was "omitted". It is then missing from the texts, the counts of
# words and to whom they belong. "Was this message was deleted?" is a deleted message. On an iPhone a line with a picture
# begins with U+200E, the mark that is looked for only behind the name: the whole line, name and time, is put below
# what the person before said, and who sent the picture has sent nothing. A change of a group's name with ": " in it is the
# message of a person of that long name.
# Source: _MEDIA in whatsapp_analyzer/parsing/classifier.py and _IOS_HEADER in detection/ios.py of the wheel; for U+200E before
# such lines also joweich/chat-miner, pull request 42. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "whatsapp-chat-analyzer==0.2.0"
"$folder/venv/bin/python" - <<'PY'
from whatsapp_analyzer import MessageType, parse_string

ANDROID = """28/11/26, 14:05 - Ada: Te lo prometto
28/11/26, 14:06 - Ada: Una promessa: vengo venerdì
28/11/26, 14:07 - Ben: Me lo hai promesso ieri
28/11/26, 14:08 - Ben: You omitted my name
28/11/26, 14:09 - Ada: Is it true that "this message was deleted" means that you read it?
28/11/26, 14:10 - Ben: <Media omessi>
28/11/26, 14:11 - Ada ha cambiato il nome del gruppo da "Pane" a "Pane: lunedì"
"""
IPHONE = """[28/11/2026, 14:05:03] Ada: Look at this
\u200e[28/11/2026, 14:06:10] Ben: \u200e<attached: 00000012-PHOTO-2026-11-28-14-06-10.jpg>
[28/11/2026, 14:07:00] Cy: Nice
"""
android, iphone = list(parse_string(ANDROID)), list(parse_string(IPHONE))
for message in android + iphone:
    print(message.type.name, message.sender, message.text.replace("\u200e", "").splitlines())
texts = [message.text for message in android if message.type is MessageType.TEXT]
kinds = [message.type.name for message in android]
if (
    texts != ["Te lo prometto", 'lunedì"']
    or kinds != ["TEXT", "MEDIA", "MEDIA", "MEDIA", "DELETED", "MEDIA", "TEXT"]
    or android[-1].sender != 'Ada ha cambiato il nome del gruppo da "Pane" a "Pane'
    or [message.sender for message in iphone] != ["Ada", "Cy"]
    or "Ben: \u200e<attached" not in iphone[0].text
):
    raise SystemExit("the behaviour has changed")
PY
