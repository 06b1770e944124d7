#!/bin/sh
# dayone-to-obsidian 0.6.1 (PyPI, CPython 3.11), which makes notes of a journal of Day One. The star of an entry is
# written beside each of its tags: an entry with two tags is starred twice, and one without tags, the best day, not at
# all. All backslashes are taken out, not only those before a full stop or an asterisk, which Day One adds: a folder
# "C:\new" is "C:new", and "\o/" is "o/". The weather's fraction is cut off towards zero: -0.6 degrees are 0, and -1.9
# are -1.
# Source: the README: "complete data migration: transfers all text, images, and metadata"; get_tags, get_body and
# get_weather in dayone_to_obsidian/processors/entry.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "dayone-to-obsidian==0.6.1"
cd "$folder"
venv/bin/python - <<'PY'
import json
from pathlib import Path


def entry(number, text, starred, tags, degrees):
    """Return an entry as Day One exports it."""
    day = f"2026-11-0{number}T10:00:00Z"
    return {
        "uuid": str(number),
        "creationDate": day,
        "modifiedDate": day,
        "timeZone": "Europe/Berlin",
        "starred": starred,
        "isPinned": False,
        "isAllDay": False,
        "text": text,
        "tags": tags,
        "weather": {
            "temperatureCelsius": degrees,
            "weatherServiceName": "WeatherKit",
            "conditionsDescription": "Snow",
        },
    }


entries = [
    entry(1, "Best day\n\nAnna said yes\\. \\o/ The pictures are in C:\\new", True, [], -0.6),
    entry(2, "Good day", True, ["club", "tea"], -1.9),
    entry(3, "A day", False, ["club"], 2.9),
]
Path("Journal.json").write_text(json.dumps({"metadata": {"version": "1.0"}, "entries": entries}))
PY
venv/bin/dayone-to-obsidian run --json Journal.json --target notes >program.log 2>&1
find notes -name '*.md' | sort | while read -r note; do
    sed -n '/^[a-zA-Z]/p' "$note" | grep -v '^date\|^time zone'
done | tee seen
cat >expected <<'TEXT'
weather: 0°C Snow
Best day
Anna said yes. o/ The pictures are in C:new
weather: -1°C Snow
tags: club, starred, tea, starred
Good day
weather: 2°C Snow
tags: club
A day
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
