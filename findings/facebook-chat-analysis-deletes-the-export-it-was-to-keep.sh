#!/bin/sh
# Facebook-Chat-Analysis 0.3 with pandas 2.3.3, numpy 2.4.6 and emojis 0.7.0 (PyPI, CPython 3.11), which makes tables and texts of the chats
# in a Facebook export. Told to keep the export (delete=False, for a first try), it deletes it: the zip, and the chats it had unpacked.
# Before that it empties the folder where the result is to go, so notes that lay there are gone too. Chats with two people of one
# name are one file, in which their answers alternate, and a chat whose title has a slash, "Ada/Ben", is in no file; nothing is said.
# Source: its own text on all_pre_processing: "Set to True if you wish to delete everything (Recommend setting to False initially for
# testing)", and a "folder with a .txt file for each conversation". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "Facebook-Chat-Analysis==0.3" "pandas==2.3.3" "numpy==2.4.6" "emojis==0.7.0"
cd "$folder"
cat >run.py <<'PY'
import json
import zipfile
from pathlib import Path

from Facebook_Chat_Analysis import all_pre_processing

chats = {
    "benmiller_1": ("Ben Miller", "Ben Miller", "I will pay"),
    "benmiller_2": ("Ben Miller", "Ben Miller", "I will not pay"),
    "trip_3": ("Ada/Ben", "Ada", "Friday at seven"),
}
with zipfile.ZipFile("facebook.zip", "w") as archive:
    for at, (folder, (title, sender, text)) in enumerate(chats.items()):
        message = {"sender_name": sender, "timestamp_ms": 1795869900000 + at, "content": text}
        chat = {"title": title, "participants": [{"name": sender}, {"name": "Eva"}], "messages": [message]}
        archive.writestr(f"messages/inbox/{folder}/message_1.json", json.dumps(chat))
Path("results").mkdir()
Path("results/my-notes.txt").write_text("my notes")
all_pre_processing("facebook.zip", "results", delete=False, save=True)
print("export kept:", Path("facebook.zip").exists(), "| unpacked chats kept:", Path("results/messages").exists())
print("notes kept:", Path("results/my-notes.txt").exists())
for text in sorted(Path("results/Text_Files").iterdir()):
    print(text.name, [line.split("\t")[3] for line in text.read_text().splitlines()[1:]])
PY
venv/bin/python run.py >log
tail -n 3 log | tee seen
cat >expected <<'TEXT'
export kept: False | unpacked chats kept: False
notes kept: False
Ben Miller.txt ['I will pay', 'I will not pay']
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
