#!/bin/sh
# kanji_to_time 0.0.4 (PyPI, lark as it comes, CPython 3.11), which reads spans of time in Japanese. A minus in front belongs to
# the first unit only, while a "before" behind belongs to all: an hour and a half as "minus 1 hour 30 minutes" is half an hour
# back, as "1 hour 30 minutes before" an hour and a half, and minus two days and three hours is 45 hours back, not 51. "Minus 5
# minutes before" is five minutes later. The numbers beside ten, hundred and thousand take one figure: 90 is read as 90, and
# 200,000 seconds in Kanji, twenty times ten thousand, are an error, although units up to a hundred million are listed.
# Source: its README, whose minus has a single unit, and release notes of v0.0.3 (minus, before and after); number and unit_man
# in kanji_to_time/grammer/kanji_to_time.lark. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "kanji_to_time==0.0.4"
cd "$folder"
venv/bin/python - >seen <<'PY'
import kanji_to_time

for text in (
    "マイナス90分",
    "マイナス一時間三十分",
    "-1時間30分",
    "一時間三十分前",
    "マイナス二日三時間",
    "二日三時間前",
    "マイナス5分前",
    "二万秒",
    "200,000秒",
    "二十万秒",
):
    try:
        print(text, kanji_to_time.to_timedelta(text).total_seconds() / 60)
    except Exception as error:
        print(text, type(error).__name__)
PY
cat seen
cat >expected <<'TEXT'
マイナス90分 -90.0
マイナス一時間三十分 -30.0
-1時間30分 -30.0
一時間三十分前 -90.0
マイナス二日三時間 -2700.0
二日三時間前 -3060.0
マイナス5分前 5.0
二万秒 333.3333333333333
200,000秒 3333.3333333333335
二十万秒 UnexpectedToken
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
