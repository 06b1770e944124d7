#!/bin/sh
# discord-to-postgresql 0.1.2 with pandas 3.1.1 and SQLAlchemy 2.0.46 (PyPI, CPython 3.11), which puts the messages of the data package
# that Discord sends on request into a database. What somebody said is read as a table of figures: "None", "NA", "null" and "n/a" are
# no message any more, but NULL, as a picture without words is, so "None" as the answer to "any allergies?" is gone. In a
# channel of numbers alone, a code "007" is 7, "1.50" is 1.5, and beside a picture "42" is 42.0. Newer packages keep
# messages as JSON (messages.json), of which nothing is read: it ends with "No objects to concatenate".
# Source: its README, "contents: text"; pandas.read_csv, "na_values" and "dtype", whose defaults transform_message takes;
# the rows that it hands to the database are shown here, without one. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "discord-to-postgresql==0.1.2" "pandas==3.1.1" "sqlalchemy==2.0.46"
cd "$folder"
cat >package.py <<'PY'
import json
import zipfile

HEAD = "ID,Timestamp,Contents,Attachments\n"
USER = {"id": "22", "username": "mia", "discriminator": "0", "relationships": [
    {"id": "23", "user": {"username": "kim", "discriminator": "0"}}]}
SAID = {
    "11": ["Any allergies?", "None", "NA", "null", "n/a", "nope"],
    "12": ["007", "42"],
    "13": ["1.50", "2"],
    "14": ["42", ""],
}
for name in ("csv", "json"):
    with zipfile.ZipFile(f"{name}.zip", "w") as package:
        package.writestr("account/user.json", json.dumps(USER))
        package.writestr("servers/10/guild.json", json.dumps({"id": "10", "name": "Club"}))
        for number, (channel, texts) in enumerate(SAID.items(), start=1):
            about = {"id": channel, "type": 0, "name": "x", "guild": {"id": "10"}, "recipients": ["22"]}
            package.writestr(f"messages/c{channel}/channel.json", json.dumps(about))
            rows = [(10 * number + i, "2026-11-30 10:00:00", text, "") for i, text in enumerate(texts)]
            if name == "csv":
                lines = "".join(f"{i},{time},{text},{url}\n" for i, time, text, url in rows)
                package.writestr(f"messages/c{channel}/messages.csv", HEAD + lines)
            else:
                keys = HEAD.strip().split(",")
                package.writestr(f"messages/c{channel}/messages.json", json.dumps([dict(zip(keys, row)) for row in rows]))
PY
venv/bin/python package.py
cat >read.py <<'PY'
from zipfile import ZipFile

from discord_to_postgresql.transform import package_to_dfs

rows = package_to_dfs(ZipFile("csv.zip"))[-1].df.astype(object)
rows = rows.where(rows.notna(), None)
for channel in sorted(set(rows["channel_id"])):
    print(channel, rows["contents"][rows["channel_id"] == channel].to_list())
try:
    package_to_dfs(ZipFile("json.zip"))
except ValueError as error:
    print("JSON:", error)
PY
venv/bin/python -W ignore read.py | tee seen
cat >expected <<'TEXT'
11 ['Any allergies?', None, None, None, None, 'nope']
12 [7, 42]
13 [1.5, 2.0]
14 [42.0, None]
JSON: No objects to concatenate
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
