#!/bin/sh
# c1v-id 0.1.0 (PyPI, CPython 3.11, pandas 2.3.3), which tells whether two records are one person and merges them into a "golden record".
# The golden record has email, phone, first, last, address, postal, city and region and nothing else: the "name" by which the README's
# own records are matched is gone, and so is all else that was known, also of people who were merged with nobody. What is kept is
# what it compared with, not what was written: the address to which Ada's mail goes loses its tag, at a server where
# that is another address, her street is in small letters and her number has lost its country. Where records are of one household,
# Jane and Dane, with a letter's difference in mail and name, are "auto_merge", and who of them remains is the first.
# Source: its README ("Merges duplicates: best value wins per survivorship rules", resolve(records) with "name"), standard_fields in
# golden.py; RFC 5321, 2.3.11: the local part is interpreted only by its own host. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "c1v-id==0.1.0" "pandas==2.3.3" "rapidfuzz==3.14.3"
cd "$folder"
venv/bin/python - >seen <<'PY'
from c1v_id import IdentityResolver

resolver = IdentityResolver()


def golden(*records):
    for record in resolver.resolve(list(records)).to_dict("records"):
        print("  ", {key: value for key, value in record.items() if key not in ("sources", "cluster_id")})


ada = {"email": "ada+orders@example.org", "phone": "+1 555 123 4567", "name": "Ada Ray", "address": "1 Main St."}
print("Ada twice, once with what she eats, and Ben:")
golden({"id": "a", **ada}, {"id": "b", **ada, "diet": "vegan"}, {"id": "c", "email": "ben@example.org", "name": "Ben Okri"})
home = {"phone": "555 765 4321", "address": "2 Park Ave."}
jane = {"id": "j", "email": "jane@example.org", "name": "Jane Doe", **home}
dane = {"id": "d", "email": "dane@example.org", "name": "Dane Doe", **home}
result = resolver.match(jane, dane)
print("Jane and Dane:", result.score, result.decision)
golden(jane, dane)
PY
cat seen
cat >expected <<'TEXT'
Ada twice, once with what she eats, and Ben:
   {'email': 'ada@example.org', 'phone': '5551234567', 'address': '1 main street', 'source_ids': ['a', 'b'], 'source_count': 2}
   {'email': 'ben@example.org', 'phone': None, 'address': None, 'source_ids': ['c'], 'source_count': 1}
Jane and Dane: 0.95 auto_merge
   {'email': 'jane@example.org', 'phone': '5557654321', 'address': '2 park avenue', 'source_ids': ['j', 'd'], 'source_count': 2}
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
