#!/bin/sh
# jatime 0.1.0 (PyPI, CPython 3.11), which finds times in Japanese text and says nothing of a time that is none. A span of hours
# is a clock time: "it takes three hours", "three hours ago" and "open 24 hours" are three o'clock and 24 o'clock with a piece
# left over, "twice a day" is on the first, and "for two days" on the second, while "ten minutes ago" is no time, as it should be.
# After noon twelve is added to every hour: 12:30 in the afternoon is half past 24, and noon of Christmas Day its end.
# Source: its README ("extract Japanese time expressions"; "22:30, 午後十時半 and P.M.10:30 are all interpreted as the same time as
# we want"; "Jatime will tell us why the time information is inconsistent if it is inconsistent"). Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "jatime==0.1.0"
cd "$folder"
venv/bin/python -W ignore - >seen <<'PY'
from jatime.analyzer import analyze

for text in (
    "三時に会う",
    "三時間かかる",
    "3時間前",
    "24時間営業",
    "10分前",
    "一日二回",
    "2日間",
    "P.M.10:30",
    "P.M.12:30",
    "午後12時30分",
    "12月25日午後12時",
    "2020年10月17日日曜日",
):
    parts = []
    for part in analyze(text):
        if isinstance(part, str):
            parts.append(part)
        else:
            parts.append({key: value for key, value in part.items() if value is not None and key != "string"})
    print(text, parts)
PY
cat seen
cat >expected <<'TEXT'
三時に会う [{'hour': 3}, 'に会う']
三時間かかる [{'hour': 3}, '間かかる']
3時間前 [{'hour': 3}, '間前']
24時間営業 [{'hour': 24}, '間営業']
10分前 ['10分前']
一日二回 [{'day': 1}, '二回']
2日間 [{'day': 2}, '間']
P.M.10:30 [{'hour': 22, 'minute': 30}]
P.M.12:30 [{'hour': 24, 'minute': 30}]
午後12時30分 [{'hour': 24, 'minute': 30}]
12月25日午後12時 [{'month': 12, 'day': 25, 'hour': 24}]
2020年10月17日日曜日 [{'error': 'day of the week on 2020-10-17 is not 6, but 5.'}]
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
