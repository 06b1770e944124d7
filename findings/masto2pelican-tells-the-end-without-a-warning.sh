#!/bin/sh
# masto2pelican 0.0.3 (PyPI, CPython 3.11), which makes pages of the archive that Mastodon exports. A content warning
# ("Spoiler: the film"), which Mastodon keeps in "summary" and shows in place of the text, is left out, and the text behind it
# stands open on the page. Polls, which are of the type "Question", are left out, with their answers in threads: an answer to
# one's own poll is taken for one to somebody else. It says "2 articles to write", and nothing of what is missing.
# Source: its README: "Tool to convert a mastodon export archive into data for pelican"; Mastodon's documentation,
# "ActivityPub": summary, "content warning", Question. _app.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "masto2pelican==0.0.3"
cd "$folder"
python3 - <<'PY'
import json
import zipfile

ADA = "https://mastodon.example/users/ada"


def post(number, content, **more):
    """Return a public post as Mastodon exports it."""
    address = f"{ADA}/statuses/{number}"
    note = {"id": address, "type": "Note", "summary": None, "inReplyTo": None, "content": f"<p>{content}</p>"}
    note |= {"published": f"2026-11-30T10:0{number}:00Z", "sensitive": False, "attachment": [], "tag": []} | more
    return {"id": f"{address}/activity", "type": "Create", "actor": ADA, "published": note["published"], "object": note}


bread = [{"type": "Note", "name": name, "replies": {"type": "Collection", "totalItems": 1}} for name in ("Rye", "Spelt")]
items = [
    post(1, "Hello"),
    post(2, "He dies at the end", summary="Spoiler: the film", sensitive=True),
    post(3, "Which bread?", type="Question", oneOf=bread),
    post(4, "Rye has won", inReplyTo=f"{ADA}/statuses/3"),
    post(5, "and good night", inReplyTo=f"{ADA}/statuses/1"),
]
outbox = {"id": "outbox.json", "type": "OrderedCollection", "totalItems": len(items), "orderedItems": items}
with zipfile.ZipFile("archive.zip", "w") as archive:
    archive.writestr("actor.json", json.dumps({"id": ADA}))
    archive.writestr("outbox.json", json.dumps(outbox))
PY
{
  venv/bin/masto2pelican archive.zip -d out
  grep -h -o -e '<p>.*' -e 'Spoiler' out/*.html
} | tee seen
cat >expected <<'TEXT'
Processing 5 activities
2 articles to write
<p>Hello</p><p>and good night</p>
<p>He dies at the end</p>
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
