#!/bin/sh
# simple-gedcom 1.0.9 (PyPI, CPython 3.11), which lists the people of a family tree (GEDCOM) with their parents. Of a child
# with two mothers - one who bore and one who adopted, each alone - the second is told as the father, also in the pedigree,
# although the file has both as WIFE and as F. With an adoptive father alone it makes a couple of him and the birth mother; of
# two couples it takes the one that stands first, here those who adopted as the ancestors. Which family is the one of birth
# (PEDI) is not looked at.
# Source: its README ("Extract person data: names, birth/death dates and places, parents", "Extract pedigree - Get direct
# ancestors"); its docstring ("Get father and mother, using family roles first, then gender"); the GEDCOM standard 5.5.1 has
# HUSB and WIFE for the roles, FAMC {0:M} with PEDI adopted, birth, foster or sealing. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "simple-gedcom==1.0.9"
cd "$folder"
cat >try.py <<'PY'
from simple_gedcom import load_gedcom


def write_tree(name, families):
    """Write a tree of one child, Ben, and its families: how he came (PEDI) and who is in it (role, name)."""
    lines = ["0 HEAD", "1 GEDC", "2 VERS 5.5.1", "2 FORM LINEAGE-LINKED", "1 CHAR UTF-8"]
    child = ["0 @I0@ INDI", "1 NAME Ben /Example/", "1 SEX M"]
    for number, (pedigree, parents) in enumerate(families):
        child += [f"1 FAMC @F{number}@", f"2 PEDI {pedigree}"]
        family = [f"0 @F{number}@ FAM"]
        for role, parent in parents:
            sex = "M" if role == "HUSB" else "F"
            lines += [f"0 @{parent}@ INDI", f"1 NAME {parent} /Example/", f"1 SEX {sex}", f"1 FAMS @F{number}@"]
            family.append(f"1 {role} @{parent}@")
        lines += [*family, "1 CHIL @I0@"]
    with open(name, "w") as tree:
        tree.write("\n".join([*lines, *child, "0 TRLR", ""]))


for title, families in {
    "Ada bore him, Eva adopted him": [("birth", [("WIFE", "Ada")]), ("adopted", [("WIFE", "Eva")])],
    "Ada bore him, Dan adopted him": [("birth", [("WIFE", "Ada")]), ("adopted", [("HUSB", "Dan")])],
    "Kim and Eva adopted him, Dan and Ada are his parents by birth": [
        ("adopted", [("HUSB", "Kim"), ("WIFE", "Eva")]),
        ("birth", [("HUSB", "Dan"), ("WIFE", "Ada")]),
    ],
}.items():
    write_tree("tree.ged", families)
    tree = load_gedcom("tree.ged")
    ben = next(person for person in tree.get_person_list() if person["First Name"] == "Ben")
    print(f"{title}: father {ben['Father First Name']}, mother {ben['Mother First Name']}")
    print("  pedigree:", ", ".join(f"{row['Position']} {row['First Name']}" for row in tree.get_pedigree("@I0@")))
PY
venv/bin/python try.py >seen
cat seen
cat >expected <<'TEXT'
Ada bore him, Eva adopted him: father Eva, mother Ada
  pedigree: HP Ben, P1 Eva, P2 Ada
Ada bore him, Dan adopted him: father Dan, mother Ada
  pedigree: HP Ben, P1 Dan, P2 Ada
Kim and Eva adopted him, Dan and Ada are his parents by birth: father Kim, mother Eva
  pedigree: HP Ben, P1 Kim, P2 Eva
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
