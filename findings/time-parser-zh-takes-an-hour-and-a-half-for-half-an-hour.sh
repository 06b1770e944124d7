#!/bin/sh
# time-parser-zh 1.0.0 (PyPI, CPython 3.11), which reads times in Chinese. Of a span only its end is read: "in an hour and a half"
# is in half an hour, "in 1 hour 30 minutes" in thirty minutes, "in two weeks and three days" in three days, "in 1.5 hours" in
# five, and "in a hundred and twenty minutes", in words, in twenty. "The day after the day after tomorrow" is a day too soon.
# "Tonight at 12" is at noon, "last night at 11" at eleven in the morning. Each is a result without a doubt.
# Source: README: extract_relative_time is for spans such as "in two hours"; what is not known has a status of its own ("no_time_phrase",
# "phrase_not_supported"), and the known faults it lists are others: quarters, years and ranges. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "time-parser-zh==1.0.0"
cd "$folder"
venv/bin/python - <<'PY' >seen
from datetime import datetime

from time_parser_zh import extract_date_range_v2, extract_datetime_point, extract_relative_time

now = datetime(2026, 11, 30, 15, 30)
print("now:", now)
for text in "两小时后", "一个半小时后", "1小时30分钟后", "两周零三天后", "1.5小时后", "一百二十分钟后":
    print(text, "->", extract_relative_time(text, now).resolved_at)
for text in "明天下午3点", "今晚12点", "昨晚11点":
    print(text, "->", extract_datetime_point(text, today=now).datetime)
for text in "后天", "大后天":
    print(text, "->", extract_date_range_v2(text, today=now).start)
PY
cat seen
cat >expected <<'TEXT'
now: 2026-11-30 15:30:00
两小时后 -> 2026-11-30 17:30
一个半小时后 -> 2026-11-30 16:00
1小时30分钟后 -> 2026-11-30 16:00
两周零三天后 -> 2026-12-03 15:30
1.5小时后 -> 2026-11-30 20:30
一百二十分钟后 -> 2026-11-30 15:50
明天下午3点 -> 2026-12-01 15:00:00
今晚12点 -> 2026-11-30 12:00:00
昨晚11点 -> 2026-11-29 11:00:00
后天 -> 2026-12-02
大后天 -> 2026-12-02
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
