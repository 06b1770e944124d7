#!/bin/sh
# logseq-to-obsidian 0.2.0 (PyPI, CPython 3.11), which makes notes for Obsidian of Logseq's. A property with a date, as Logseq
# writes dates unless told otherwise ([[Mar 4th, 1990]]), is cut at its comma: the birthday becomes a list of two links, to
# "[[Mar 4th" and "1990]]", that lead nowhere. Links to days within texts are left as they are, but the days' notes get other
# names (2026-11-30.md), so that "[[Nov 30th, 2026]]" leads nowhere either. A property of a block ("allergy:: nuts" under a
# person) is put out of its list, to the margin, and a block that has nothing else is left empty behind it.
# Source: its README: "Page properties -> YAML front matter", "it preserves unknown page properties in YAML", and "link text
# does not need conversion", which holds for one setting of Logseq only; Logseq's config.edn: :journal/page-title-format, "MMM
# do, yyyy" as its default. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "logseq-to-obsidian==0.2.0"
cd "$folder"
mkdir -p in/pages in/journals
cat >in/pages/Ada.md <<'MD'
birthday:: [[Mar 4th, 1990]]
partner:: [[Ben]]

- Likes rye
  since:: 2001
- allergy:: nuts
- Dinner on [[Nov 30th, 2026]]
MD
echo "- Met [[Ada]]" >in/journals/2026_11_30.md
venv/bin/logseq-to-obsidian --input in --output out >log
(cd out && find . -name '*.md' | sort && cat Ada.md) | tee seen
cat >expected <<'MD'
./Ada.md
./journals/2026-11-30.md
---
birthday:
  - "[[Mar 4th"
  - "1990]]"
partner: "[[Ben]]"
---

- Likes rye
since:: 2001
allergy:: nuts
-
- Dinner on [[Nov 30th, 2026]]
MD
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
