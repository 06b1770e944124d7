#!/bin/sh
# kakaotalk-msg-preprocessor 0.13 (PyPI, CPython 3.11), which lists the messages of an export of KakaoTalk. A message is added
# when the next line with a time is read, and there is none after the last: what was said last is missing, from files of
# Android and of Windows, and of a file with one message nothing is left. A comma in a name, as in "Ada, Mum", ends all with a
# ValueError, as the first half of the name is taken for part of the time. The English export of Windows, which it does not
# know, ends in a NameError, in the line that would say so.
# Source: its docstrings: "Parsing the text from a kaotalk_export_file", "Each dictionary compose of the informtion of each
# message", and "Please check the file is a kakaotalk export file" in check_export_file_type. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "kakaotalk-msg-preprocessor==0.13"
cd "$folder"
cat >android.txt <<'TEXT'
Club 님과 카카오톡 대화
저장한 날짜 : 2026년 11월 28일 오후 10:00

2026년 11월 28일 오후 9:05
2026년 11월 28일 오후 9:05, Ada : 내일 만나요
2026년 11월 28일 오후 9:06, Ben : 좋아요
2026년 11월 28일 오후 9:07, Ada : 아니, 일요일에 만나요
TEXT
cat >windows.txt <<'TEXT'
Club 님과 카카오톡 대화
저장한 날짜 : 2026-11-28 22:00:00

--------------- 2026년 11월 28일 토요일 ---------------
[Ada] [오후 9:05] 내일 만나요
[Ben] [오후 9:06] 좋아요
TEXT
cat >english.txt <<'TEXT'
Club KakaoTalk Chats
Date Saved : 2026-11-28 22:00:00

--------------- Saturday, November 28, 2026 ---------------
[Ada] [9:05 PM] See you tomorrow
TEXT
sed 's/, Ada :/, Ada, Mum :/' android.txt >comma.txt
venv/bin/python -W ignore - >seen <<'PY'
from kakaotalk_msg_preprocessor import check_export_file_type, parse

for name in ("android.txt", "windows.txt", "comma.txt", "english.txt"):
    try:
        kind = check_export_file_type(name)
        for message in parse(kind, name):
            print(name, kind, f"{message['datetime']:%H:%M}", message["user_name"], message["text"])
    except (ValueError, NameError) as error:
        print(name, type(error).__name__)
PY
cat seen
cat >expected <<'TEXT'
android.txt android_ko 21:05 Ada 내일 만나요
android.txt android_ko 21:06 Ben 좋아요
windows.txt window_ko 21:05 Ada 내일 만나요
comma.txt ValueError
english.txt NameError
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
