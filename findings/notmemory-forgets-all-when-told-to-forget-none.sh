#!/bin/sh
# notmemory 0.1.0 with SQLAlchemy 2.0.45 and aiosqlite 0.22.1 (PyPI, CPython 3.11), an "auditable, reversible,
# GDPR-compliant memory". forget() with an empty list of entries forgets the whole bank: so does who asks for what a
# member said, and has nothing of that member to forget. What is forgotten stays in the file, in the table and in the
# index of words. Once an entry was forgotten or rolled back, the chain of hashes counts as broken, for good, unless it
# was the last one. A question mark or an apostrophe in a question ends in an error, and "fact" finds each entry, since
# the names of the fields are searched as well.
# Source: the README ("forget(bank_id, *, entry_ids): GDPR tombstone", "compliant deletion", "verify SHA-256 hash
# chain", "keyword search"); tombstone_entries, verify_hash_chain and keyword_search in storage/backends/sqlite.py of
# the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "notmemory==0.1.0" "sqlalchemy[asyncio]==2.0.45" "aiosqlite==0.22.1"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
import asyncio
import pathlib

from notmemory import AgentMemory, MemoryConfig


async def main():
    async with AgentMemory(MemoryConfig(db_url="sqlite+aiosqlite:///memory.db")) as memory:
        said = ("Kim lives in Oslo", "Nora is ill", "Kim likes tea")
        entries = [await memory.retain(bank_id="club", content={"fact": words}, source="kim") for words in said]
        print("the chain of hashes is whole:", await memory.verify_integrity("club"))
        print("forgotten:", await memory.forget("club", entry_ids=[entries[1].id]))
        print("the chain of hashes is whole:", await memory.verify_integrity("club"))
        for query in ("Kim", "fact", "Where does Kim live?", "Kim's tea"):
            try:
                found = (await memory.recall(bank_id="club", query=query)).entries
                print(f"{query}:", [entry.content["fact"] for entry in found])
            except Exception as error:
                print(f"{query}:", str(error).splitlines()[0])
        of_ben = [entry.id for entry in entries if entry.source == "ben"]
        print(f"forgotten of Ben's {len(of_ben)} entries:", await memory.forget("club", entry_ids=of_ben))
        print("Kim:", (await memory.recall(bank_id="club", query="Kim")).entries)
    text = b"".join(file.read_bytes() for file in pathlib.Path().glob("memory.db*"))
    print("Nora's illness in the file:", text.count(b"Nora is ill"), "times")


asyncio.run(main())
PY
cat >expected <<'TEXT'
the chain of hashes is whole: True
forgotten: 1
the chain of hashes is whole: False
Kim: ['Kim likes tea', 'Kim lives in Oslo']
fact: ['Kim likes tea', 'Kim lives in Oslo']
Where does Kim live?: (sqlite3.OperationalError) fts5: syntax error near "?"
Kim's tea: (sqlite3.OperationalError) fts5: syntax error near "'"
forgotten of Ben's 0 entries: 3
Kim: []
Nora's illness in the file: 2 times
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
