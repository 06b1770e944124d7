#!/bin/sh
# orbit-crm 0.11.0 (PyPI, CPython 3.11), a personal CRM for agents over MCP that promises "one note per person, no
# duplicates". Titles are taken out of names before these are compared, and among them are "ma", "ba", "mag", "phil", "nat",
# "med" and "pol", also where they are names. Who asks for "Ma" finds nobody, though Jack Ma and Ma Li are there. Of Jack Ma a
# second note can be made ("Ma, Jack"), as of nobody else: "Wei, Li" is refused beside Li Wei. Phil King, who is new, is told
# to be of the "same name" as Nat King; with both there, who asks for Phil King gets Nat King first, with the same score.
# Source: its README: "name in any order or spelling (..., "Müller, Hans", ...)", "a "new" person ... too like one there (the
# same name, ...) is refused"; TITLES in orbit/names.py of the wheel. Its tools resolve_entity and upsert_person are called as
# its server calls them. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "orbit-crm==0.11.0"
cd "$folder"
export ORBIT_HOME="$folder/home"
venv/bin/orbit init crm --name Max --email max@example.com >log 2>&1
venv/bin/python - <<'PY'
from orbit import resolve, writes
from orbit.crm import Crm
from orbit.errors import OrbitError


def add(name):
    """Return whether a new person is let in."""
    try:
        writes.upsert_person(crm, "new", {"name": name}, "user", "Max said so")
    except OrbitError as error:
        return "refused" if "alike is there already" in str(error) else str(error)
    return "created"


def find(name):
    """Return who a name may mean, each with the evidence."""
    return [(one["name"], one["score"], *one["reasons"]) for one in resolve.resolve(crm, "person", [name])["candidates"]]


with Crm("crm") as crm:
    crm.refresh()
    added = {name: add(name) for name in ("Li Wei", "Wei, Li", "Jack Ma", "Ma, Jack", "Ma Li", "Nat King")}
    found = {name: find(name) for name in ("Wei", "Ma", "Phil King")}
    add("Phil King")
    both = find("Phil King")
print(added)
for name, people in found.items():
    print(f"{name}: {people}")
print(f"Phil King, who is there: {both}")
alike = [("Nat King", 0.55, "same name (name): Phil King"), ("Phil King", 0.55, "same name (name): Phil King")]
assert {name for name, made in added.items() if made == "refused"} == {"Wei, Li"}, added
assert [one[0] for one in found["Wei"]] == ["Li Wei"] and found["Ma"] == []
assert found["Phil King"] == alike[:1] and both == alike, "the behaviour has changed"
PY
