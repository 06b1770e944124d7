#!/bin/sh
# rag-chunk 0.4.0 (PyPI, CPython 3.11), which compares ways of splitting notes for retrieval, and advises to start with paragraphs.
# It writes all notes in one line first. So by paragraphs there is one chunk, which is all the notes there are, and by
# headings one too, or pieces that begin and end in the middle of a sentence. The one chunk holds every answer: whatever
# is asked, it has the best recall, and "paragraph" wins over splitting that works. Its precision says nothing, as it is
# 1 wherever anything is found: of eight sentences handed over for one, seven count for nothing.
# Source: its README ("paragraph: Natural paragraph boundaries", "header: Preserves document structure", "Start with paragraph
# for markdown with clear structure", "Precision, Recall, F1-score evaluation"); clean_markdown_text in src/parser.py of
# the wheel, whose docstring speaks of multiple blank lines, and compute_precision_recall_f1 in src/scorer.py. Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "rag-chunk==0.4.0"
cd "$folder"
mkdir notes
cat >notes/club.md <<'TEXT'
# Kim

Kim is vegan. She is allergic to nuts.

# Ben

Ben eats meat. He has two children.

# Ada

Ada plays the cello. She lives in Rome.

# Eva

Eva has lived in Oslo since June. She is a nurse.
TEXT
cat >questions.json <<'JSON'
[
  {"question": "What is Kim allergic to?", "relevant": ["allergic to nuts"]},
  {"question": "How many children does Ben have?", "relevant": ["two children"]},
  {"question": "Where is home for Eva?", "relevant": ["in Oslo"]}
]
JSON
for strategy in paragraph header fixed-size; do # 10 words, as many as a paragraph of these notes has
    venv/bin/rag-chunk analyze notes --strategy "$strategy" --chunk-size 10 --overlap 0 --test-file questions.json \
        --top-k 1 --output json >result
    grep -E '"(strategy|chunks|avg_recall|avg_precision)"' result | tr -s ' \n' ' ' | sed 's:, $::' && echo
done | tee seen
cat .chunks/paragraph-*/chunk_0.txt | cut -c1-59 | tee -a seen
cat >expected <<'TEXT'
 "strategy": "paragraph", "chunks": 1, "avg_recall": 1.0, "avg_precision": 1.0
 "strategy": "header", "chunks": 5, "avg_recall": 0.6667, "avg_precision": 0.6667
 "strategy": "fixed-size", "chunks": 5, "avg_recall": 0.6667, "avg_precision": 0.6667
# Kim Kim is vegan. She is allergic to nuts. # Ben Ben eats
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
