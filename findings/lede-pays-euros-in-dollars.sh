#!/bin/sh
# lede 0.5.1 (PyPI, CPython 3.11), which takes sentences and facts from texts. Every amount of money that it finds is of the
# unit "usd": "3.50 euros", "4 euros" beside "3 dollars", "CHF 20", while its metadata of the same text say "eur". Of
# "1.500,50 euros" the thousand is left out, "¥2000" is a date, and amounts with a sign before them, "€3.50" and "£20", are
# not found at all. Numbers like years are dates: "room 1984", "2001 people"; an age ("36 years old") is a duration. "Is
# almond a nut? Yes." is no part of a summary, while "She is allergic to them" is the first sentence of one that does not say
# who or what.
# Source: its README: "structured fact extraction (numbers, dates, sections, entities)", "The summary is direct quotes from
# the document - never paraphrased", "never made up"; README, attach=["stats", "metadata"]. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "lede==0.5.1"
cd "$folder"
venv/bin/python - <<'PY'
from lede import summarize

EXPECTED = {
    "It costs 3.50 euros a head.": ([("3.50", "usd")], ("3.50 eur",), ()),
    "He has 3 dollars and 4 euros.": ([("3", "usd"), ("4", "usd")], ("3 dollars", "4 eur"), ()),
    "It costs CHF 20.": ([("20", "usd")], ("CHF 20",), ()),
    "It costs 1.500,50 euros in all.": ([("500,50", "usd")], ("500,50 eur",), ()),
    "It costs €3.50 or £20.": ([], (), ()),
    "It costs ¥2000 in all.": ([("2000", "date")], (), ("2000",)),
    "In room 1984 we met 2001 people.": ([("1984", "date"), ("2001", "date")], (), ("1984", "2001")),
    "Ada is 36 years old.": ([("36 years", "year")], (), ()),
}
seen = {}
for text in EXPECTED:
    result = summarize(text, max_length=200, attach=["stats", "metadata"])
    facts = [(fact.value, fact.unit) for fact in result.stats or ()]
    seen[text] = (facts, result.metadata.amounts, result.metadata.dates)
    print(text, "facts:", facts, "amounts:", result.metadata.amounts, "dates:", result.metadata.dates)
assert seen == EXPECTED, "the behaviour has changed"
talk = "Ada told the club that she must not eat nuts. She is allergic to them since 1999. Is almond a nut? Yes."
summary = summarize(talk, max_length=60).summary
print(f"summary: {summary}")
assert summary == "She is allergic to them since 1999.", "the behaviour has changed"
PY
