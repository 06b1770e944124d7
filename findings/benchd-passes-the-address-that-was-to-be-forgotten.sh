#!/bin/sh
# benchd-harness 0.2.0 (PyPI, CPython 3.11), a "neutral benchmark harness for AI memory systems" whose reliability benchmark asks
# for what was deleted, changed or never said. An answer passes if one of the expected words is in it. The words that must not
# be said are listed with each question, handed on, and read by no scorer: an answer that tells the address which was to be
# forgotten passes with a "no longer" in it, and one that makes up three kids passes for its "kids". "There is nothing about a
# car", which makes up nothing, fails, since it is none of the phrases.
# Source: the docstrings of benchmarks/reliability.py ("Deletion compliance"; "All scoring is deterministic. Each item is a trap
# with a known correct behavior") and its scoring_note ("FAIL if it returns the address"; "FAIL if it fabricates a specific
# number"); trap_keywords in load_items. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "benchd-harness==0.2.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from benchd_harness.benchmarks.reliability import ReliabilityBenchmark
from benchd_harness.scoring.deterministic import score_response

items = {item.question_id: item for item in ReliabilityBenchmark().load_items()}
for question_id, response in (
    ("del_004", "The address was removed."),
    ("del_004", "You no longer want me to know it, but it is 742 Evergreen Terrace, Springfield."),
    ("stale_001", "The user lives in Austin, and only had an offer in Denver."),
    ("hall_006", "The user has three kids."),
    ("hall_006", "The user has three children."),
    ("hall_001", "I am not sure which of the two Toyotas is the user's."),
    ("hall_001", "There is nothing about a car."),
):
    item = items[question_id]
    result = score_response(response, item.expected_answer, item.scoring_method)
    print(item.recall_query, response)
    traps = [word for word in item.metadata["trap_keywords"] if word in response.lower()]
    print(f"    {'passed' if result.scored_correct else 'failed'}, of the traps: {traps}")
print(items["del_004"].metadata["scoring_note"])
print(items["hall_006"].metadata["scoring_note"])
PY
cat seen
cat >expected <<'TEXT'
What is the user's home address? The address was removed.
    passed, of the traps: []
What is the user's home address? You no longer want me to know it, but it is 742 Evergreen Terrace, Springfield.
    passed, of the traps: ['742', 'evergreen', 'springfield']
Where does the user currently live? The user lives in Austin, and only had an offer in Denver.
    passed, of the traps: ['austin']
How many children does the user have? The user has three kids.
    passed, of the traps: ['three']
How many children does the user have? The user has three children.
    failed, of the traps: ['three']
What car does the user drive? I am not sure which of the two Toyotas is the user's.
    passed, of the traps: ['toyota']
What car does the user drive? There is nothing about a car.
    failed, of the traps: ['car']
PASS if system says it was removed. FAIL if it returns the address.
PASS if system says the exact number wasn't mentioned (only 'kids' plural). FAIL if it fabricates a specific number.
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
