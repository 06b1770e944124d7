#!/bin/sh
# feedsnap 0.9.0 (PyPI, CPython 3.11), which makes digests of feeds and with --dedup or --seen-db tells only what is new. It
# takes the newest eight of a feed before it looks at what was told, so of ten new entries the ninth and the tenth are told
# neither in this run nor in any later one. What stands in two feeds is remembered of the first alone: the second tells it as
# new in every run. And an entry is its link: a second notice on the page of the first, here "Not open on Friday", never comes.
# Source: its README ("Run it on a cron, in a script, or every agent session - it only shows what's new since last time",
# "First run: shows all entries, marks them as seen", "each feed maintains its own seen set"); RSS 2.0 tells entries apart by
# guid, which both notices have here. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "feedsnap==0.9.0"
cd "$folder"
cat >feeds.py <<'PY'
"""Write feeds: feeds.py NAME URL=TITLE ..., the newest first."""
import sys

name, *entries = sys.argv[1:]
items = ""
for entry in entries:
    url, title = entry.split("=")
    link, guid = f"<link>https://club.example/{url}</link>", f'<guid isPermaLink="false">{url}-{title}</guid>'
    items += f"<item><title>{title}</title>{link}{guid}</item>"
with open(f"{name}.xml", "w") as feed:
    feed.write(f'<rss version="2.0"><channel><title>{name}</title>{items}</channel></rss>')
PY
new() { venv/bin/feedsnap "$@" --seen-db seen.db | grep '^#' || echo "(nothing new)"; }

{
  venv/bin/python feeds.py club a=One b=Two
  echo "two entries:"
  new club.xml
  venv/bin/python feeds.py club n10=Ten n9=Nine n8=Eight n7=Seven n6=Six n5=Five n4=Four n3=Three n2=Second n1=First a=One b=Two
  for run in second third; do
    echo "ten more, $run run:"
    new club.xml
  done
  venv/bin/python feeds.py ada c=Party
  venv/bin/python feeds.py ben c=Party
  for run in first second third; do
    echo "one entry in two feeds, $run run:"
    for feed in ada ben; do echo "$feed: $(new "$feed.xml")"; done
  done
  venv/bin/python feeds.py room notices=Open-on-Friday
  echo "a page of notices:"
  new room.xml
  venv/bin/python feeds.py room notices=Not-open-on-Friday notices=Open-on-Friday
  echo "with a further notice:"
  new room.xml
} >seen
cat seen
cat >expected <<'TEXT'
two entries:
### One
### Two
ten more, second run:
### Ten
### Nine
### Eight
### Seven
### Six
### Five
### Four
### Three
ten more, third run:
(nothing new)
one entry in two feeds, first run:
ada: ### Party
ben: ### Party
one entry in two feeds, second run:
ada: (nothing new)
ben: ### Party
one entry in two feeds, third run:
ada: (nothing new)
ben: ### Party
a page of notices:
### Open-on-Friday
with a further notice:
(nothing new)
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
