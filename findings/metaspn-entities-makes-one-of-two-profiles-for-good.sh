#!/bin/sh
# metaspn-entities 0.1.9 with metaspn-schemas 0.8.0 (PyPI, CPython 3.11), which finds out who is the same person by what is known of
# them. Of an address of a profile it drops all behind the "?" and writes the rest small, and who shares an address is
# merged at once: profile.php?id=1 and profile.php?id=2 are one person, whose mail addresses both lead there. A merge is
# undone by merging the other way round, so that both names lead to the same person afterwards as before. Of the name
# of a host it takes off every w and point at the start, not only "www.": web.de is eb.de, and w3.org is 3.org.
# Source: its README ("reversible soft undo", "Deterministic identifier normalization"); normalize.py, which has
# lstrip("www."), and undo_merge and AUTO_MERGE_IDENTIFIER_TYPES in resolver.py of the wheel; RFC 3986, 3.4, by which
# the query identifies the resource together with the path. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "metaspn-entities==0.1.9" "metaspn-schemas==0.8.0"
cd "$folder"
cat >people.py <<'PY'
from metaspn_entities import EntityResolver


def same(people, kind, one, other):
    """Return whether two identifiers lead to one person."""
    return people.resolve(kind, one).entity_id == people.resolve(kind, other).entity_id


people = EntityResolver()
for number, mail in enumerate(("kim@club.example", "ben@club.example"), 1):
    person = people.resolve("email", mail)
    people.add_alias(person.entity_id, "canonical_url", f"https://social.example/profile.php?id={number}")
print("Kim and Ben, each with a profile, are one:", same(people, "email", "kim@club.example", "ben@club.example"))
print("of the profiles is known:", people.merge_history()[0]["reason"])

people = EntityResolver()
kim = people.resolve("handle", "kim").entity_id
ben = people.resolve("handle", "ben").entity_id
people.merge_entities(kim, ben, "by mistake")
print("merged, they are one:", same(people, "handle", "kim", "ben"))
people.undo_merge(kim, ben)
print("undone, they are one:", same(people, "handle", "kim", "ben"))
for one, other in (("web.de", "eb.de"), ("www.w3.org", "3.org")):
    print(f"{one} is {other}:", same(people, "domain", one, other))
PY
venv/bin/python people.py | tee seen
cat >expected <<'TEXT'
Kim and Ben, each with a profile, are one: True
of the profiles is known: auto-merge on canonical_url:social.example/profile.php
merged, they are one: True
undone, they are one: True
web.de is eb.de: True
www.w3.org is 3.org: True
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
