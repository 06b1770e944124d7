#!/bin/sh
# mcp-chinese-time 1.0.0 with fastmcp 4.2.3 and freezegun 1.5.5, which moves the clock (PyPI, CPython 3.11), a server that reads times in
# Chinese for models. What it does not know is today, without a word: so are "two days ago" with the usual word for two, though
# "in two weeks" is read, "25 December" in characters, "in half an hour", "15:30" and "2026-12-05 18:00". "Tonight at 8" is eight in
# the morning, long past; "tomorrow evening at half past 8" is today at 8; a quarter past three is one minute past.
# Source: README: it "supports both Arabic and Chinese numerals", relative times as "in two weeks", times as "8 in the evening";
# FuzzyTimeParser.parse. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "mcp-chinese-time==1.0.0" "fastmcp==4.2.3" "freezegun==1.5.5"
cd "$folder"
cat >read.py <<'PY'
from freezegun import freeze_time
from mcp_chinese_time import FuzzyTimeParser

with freeze_time("2026-11-30 07:30:00"):
    parser = FuzzyTimeParser(timezone="Asia/Shanghai")
    print("now:", parser.now.replace(tzinfo=None))
    for text in (
        *("三天前", "两天前", "两周后", "12月25日", "十二月二十五号", "半小时后", "15:30", "2026-12-05 18:00"),
        *("晚上8点", "今晚8点", "明天早上9点", "明天晚上8点半", "下午3点一刻"),
    ):
        print(text, "->", parser.parse(text).value)
PY
venv/bin/python read.py >seen
cat seen
cat >expected <<'TEXT'
now: 2026-11-30 15:30:00
三天前 -> 2026-11-27
两天前 -> 2026-11-30
两周后 -> ['2026-12-14', '2026-12-20']
12月25日 -> 2026-12-25
十二月二十五号 -> 2026-11-30
半小时后 -> 2026-11-30
15:30 -> 2026-11-30
2026-12-05 18:00 -> 2026-11-30
晚上8点 -> 2026-11-30 20:00:00
今晚8点 -> 2026-11-30 08:00:00
明天早上9点 -> 2026-12-01 09:00:00
明天晚上8点半 -> 2026-11-30 20:00:00
下午3点一刻 -> 2026-11-30 15:01:00
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
