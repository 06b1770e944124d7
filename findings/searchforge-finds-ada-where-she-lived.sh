#!/bin/sh
# searchforge 0.1.2 (PyPI, CPython 3.11), a search engine with ranking, highlights and stored documents. A document that is added
# again under its number keeps the words of the old one in the index: Ada, who lives in Rome, is found for Oslo, and for each
# word that was taken out. The stored text is not the text: small words, capitals and apostrophes are gone, so a result for
# "nuts" is "cy isnt allergic nuts", and a highlight never shows the sentence. A question is taken for the words in it, and words
# that are alike count more than those that fit: "Where does Ada live" has "Cy does not eat nuts" in the first place.
# Source: its README ("Stop-word removal", "Highlighted search results", "Persistent document storage", "Fuzzy search", "Returns
# a ranked list of matching documents"). Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "searchforge==0.1.2"
cd "$folder"
venv/bin/python - >seen <<'PY'
from searchforge import SearchEngine

engine = SearchEngine()
engine.add_document(1, "Ada lives in Oslo.")
engine.add_document(2, "Ben lives in Bern.")
engine.add_document(3, "Cy isn't allergic to nuts.")
engine.add_document(4, "Cy does not eat nuts.")
engine.add_document(5, "Ada and Ben meet on Friday.")
engine.add_document(1, "Ada lives in Rome.")
for query in ("Rome", "Oslo", "allergic", "Where does Ada live"):
    print(f"{query}:", *(f"{hit.document_id} {hit.score:.2f} {hit.highlight!r};" for hit in engine.search(query)))
PY
cat seen
cat >expected <<'TEXT'
Rome: 1 0.29 'ada lives <b>rome</b>';
Oslo: 1 0.00 'ada lives rome';
allergic: 3 0.29 'cy isnt <b>allergic</b> nuts';
Where does Ada live: 4 1.05 'cy <b>does</b> not eat nuts'; 1 0.76 '<b>ada</b> <b>live</b>s rome'; 5 0.67 '<b>ada</b> ben meet friday'; 2 0.00 'ben <b>live</b>s bern';
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
