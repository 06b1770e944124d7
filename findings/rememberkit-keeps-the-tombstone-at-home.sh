#!/bin/sh
# rememberkit 0.0.2 (PyPI, CPython 3.11), memories of agents as signed records that travel in packs. forget() writes a signed tombstone "so
# that a reader can prove the memory was withdrawn", with the consent "private": share() leaves it at home, whatever it is
# asked for, since a recall leaves tombstones out as well. Who was given the memory and then gets every later pack goes on recalling
# it, and both packs verify. A correction that is written without its consent is private too: the new address stays at
# home, the old one stays with the others. The same words, remembered and forgotten and said again in the same
# second, are the same record, and forgotten from then on.
# Source: its README ("Revocation is itself a verifiable record", "A correction is just a new record", "a memory can move from one
# agent to another"); forget() and share() in rememberkit/memory.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "rememberkit==0.0.2"
cd "$folder"
venv/bin/python - >seen <<'PY'
from rememberkit import Memory, generate_keypair, verify_pack

key, public = generate_keypair()
mine = Memory(key, agent="a", subject="ada")
seat = mine.remember({"seat": "aisle"}, scope="travel", consent="shareable")
home = mine.remember({"home": "York"}, scope="home", consent="shareable")
packs = [mine.share()]
mine.forget(seat["id"])
mine.remember({"home": "Leeds"}, scope="home", supersedes=home["id"])
packs.append(mine.share())
packs.append(mine.share(min_consent="private"))
print("packs:", [(len(pack["records"]), verify_pack(pack, trusted_keys=[public])["valid"]) for pack in packs])
print("here:", [record["content"] for record in mine.recall()])
theirs = Memory.open({**packs[0], "records": [record for pack in packs[:2] for record in pack["records"]]})
print("with them:", [record["content"] for record in theirs.recall()])

again = Memory(key, agent="a", subject="ada")
at = "2026-11-30T12:00:00Z"
again.forget(again.remember("likes tea", timestamp=at)["id"], timestamp=at)
again.remember("likes tea", timestamp=at)
print("said, forgotten and said again at once:", again.recall())
PY
cat seen
cat >expected <<'TEXT'
packs: [(2, True), (0, True), (1, True)]
here: [{'home': 'Leeds'}]
with them: [{'seat': 'aisle'}, {'home': 'York'}]
said, forgotten and said again at once: []
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
