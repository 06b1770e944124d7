#!/bin/sh
# lecore-bm25 0.2.1 with numpy 2.4.6 (PyPI, CPython 3.11), a search by words whose tokenizer is its reason to be used. It takes
# the endings "ing", "ed", "es" and "s" off, so that a verb in e is another word in the question than in the answer: "lives" is
# "liv" and "live" is "live", and so are likes, moved, named and notes. Asked where somebody does live, what he does like and
# when they did move, it has a live stream, rain and a move in a chess game, and no score for the answers. "pieces" and "piece",
# the example of its docstring, are "piec" and "piece". Letters with marks end a word: Zoë is "zo", naïve "na" and "ve".
# Source: its README, "the tokenizer ships with it. That turns out to be the whole ballgame"; docstrings of tokenize ("their
# inflections collapse to the same root") and _normalize ("'pieces' -> 'piece'") in lecore_bm25/bm25.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "lecore-bm25==0.2.1" "numpy==2.4.6"
cd "$folder"
venv/bin/python - >seen <<'PY'
from lecore_bm25 import BM25, tokenize

for pair in ("lives live", "likes like", "moved move", "named name", "pieces piece", "notes note", "allergies allergy"):
    print(pair, "->", *tokenize(pair))
for word in ("Łódź", "Zoë", "naïve"):
    print(word, "->", *tokenize(word))
said = [
    "She lives in Rome with her mother",
    "He likes tea more than coffee",
    "They moved to Bern last year",
    "We saw a live stream of the band",
    "It looks like rain again today",
    "Make a move in our chess game",
]
search = BM25(said)
for question in ("Where does she live?", "What does he like?", "When did they move?"):
    first, score = search.rank(question)[0]
    print(f"{question} {said[first]} ({score:.2f})")
PY
cat seen
cat >expected <<'TEXT'
lives live -> liv live
likes like -> lik like
moved move -> mov move
named name -> nam name
pieces piece -> piec piece
notes note -> not note
allergies allergy -> allergi allergy
Łódź ->
Zoë -> zo
naïve -> na ve
Where does she live? We saw a live stream of the band (1.57)
What does he like? It looks like rain again today (1.41)
When did they move? Make a move in our chess game (1.57)
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
