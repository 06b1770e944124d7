#!/bin/sh
# kakao-chat-parser 0.0.1 (PyPI, CPython 3.11), "a chat parser and utility for analyzing KakaoTalk chats". A line counts
# as a message only if it has exactly two colons, the one of its time and the one before its words. So whatever names a
# time of day, a link or a list is nobody's message: of when and where the club meets, nothing is kept. Lines that go on
# are left out too, with the "not" that stands on them. The hour is not kept, and a name of two words becomes one.
# Source: ChatParser.__init__ in kakao_chat_parser of the wheel. The file is as the app for iOS exports it in Korean
# ("2026. 11. 28. 오전 10:00, NAME : words"), the form that the parser reads. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "kakao-chat-parser==0.0.1"
cd "$folder"
cat >chat.txt <<'TEXT'
2026. 11. 28. 오전 10:00, Anna Lee : Who comes to the club today?
2026. 11. 28. 오전 10:01, Ben : We meet at 19:30
2026. 11. 28. 오전 10:02, Ben : It is here https://example.org/club
2026. 11. 28. 오전 10:03, Anna Lee : I shall come
only if I need not work
2026. 11. 28. 오전 10:04, Cy : Bring: tea, cake
TEXT
venv/bin/python - <<'PY' | tee seen
from kakao_chat_parser import ChatParser

for chat in ChatParser("chat.txt").get_chat():
    print(f"{chat['date']} {chat['member']}:{chat['message']}")
PY
cat >expected <<'TEXT'
2026-11-28 00:00:00 AnnaLee: Who comes to the club today?
2026-11-28 00:00:00 AnnaLee: I shall come
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
