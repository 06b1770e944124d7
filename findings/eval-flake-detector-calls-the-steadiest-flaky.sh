#!/bin/sh
# eval-flake-detector 0.1.0 (PyPI, CPython 3.11), which tells which tests of a model come out differently each time. What it asks
# is whether the mean is neither good nor bad: a case that scores 0.6 in each of ten runs, with a deviation of nought,
# is flaky, and one that fails once in ten runs is stable, with a deviation of 0.3. A judge's marks from 1 to 5
# are cut at 1, so that marks of 1, 5 and 3 are the steadiest there is. Of a case that passed once and failed once it says
# in one breath that it is not flaky and of low flakiness.
# Source: its README ("Detect flaky LLM eval cases across repeated runs. Computes per-case pass rate, standard deviation, and
# a flakiness severity", "stable: consistently passes or consistently fails"); detect.py of the wheel, where std_dev
# decides only how flaky a case is, and not whether. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "eval-flake-detector==0.1.0"
cd "$folder"
cat >runs.py <<'PY'
from eval_flake_detector import detect

cases = {
    "0.6 in each run": [0.6] * 10,
    "fails once in ten runs": [True] * 9 + [False],
    "marks of 1, 5 and 3": [1, 5, 3] * 3,
    "passes once, fails once": [True, False],
}
for case in detect(list(cases.values()), case_ids=list(cases)).cases:
    print(f"{case.case_id}: flaky {case.flaky}, severity {case.severity}, deviation {case.std_dev}")
PY
venv/bin/python runs.py | tee seen
cat >expected <<'TEXT'
0.6 in each run: flaky True, severity low, deviation 0.0
fails once in ten runs: flaky False, severity stable, deviation 0.3
marks of 1, 5 and 3: flaky False, severity stable, deviation 0.0
passes once, fails once: flaky False, severity low, deviation 0.5
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
