#!/bin/sh
# corroborate 0.1.0 (PyPI, CPython 3.11), which checks that each number and date of an answer is in its sources. Of a date
# whose month is a word behind the day, the year and the number of the day are looked for, each by itself: beside "on 2
# September 1945", "on 2 May 1945" is found, and a birthday "on 4 March 2015" of someone who was born on 4 March 1990 and
# moved in 2015. The same day written otherwise is a critical finding: "9/2/1945" beside "Sept 2 1945", the README's own pair,
# "1945-09-02" beside "2 September 1945" (not the other way round), and "7:30 pm" beside "19:30".
# Source: its README: "Dates / years in the answer that don't appear in any chunk (matches across formats: 1945, Sept 2 1945,
# 1945-09-02, 9/2/1945)", "near-zero false positives on real LLM output". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "corroborate==0.1.0"
cd "$folder"
venv/bin/python - <<'PY'
import corroborate

EXPECTED = {
    ("It ended on 2 September 1945.", "It ended on 2 September 1945."): True,
    ("It ended on 2 September 1945.", "It ended on 2 May 1945."): True,
    ("Ada's birthday is 4 March.", "Ada's birthday is 4 May."): True,
    ("Ada, born on 4 March 1990, moved in 2015.", "Ada was born on 4 March 2015."): True,
    ("It ended on 2 September 1945.", "It ended on 2 September 1944."): False,
    ("It ended on Sept 2 1945.", "It ended on 9/2/1945."): False,
    ("It ended on 2 September 1945.", "It ended on 1945-09-02."): False,
    ("It ended on 1945-09-02.", "It ended on 2 September 1945."): True,
    ("Dinner is at 19:30.", "Dinner is at 7:30 pm."): False,
}
seen = {}
for source, answer in EXPECTED:
    report = corroborate.check_answer(query="When?", retrieved_chunks=[source], answer=answer)
    seen[source, answer] = report.ok()
    print(f"{source} - {answer}", "ok" if report.ok() else [(one.code, one.spans) for one in report.findings])
if seen != EXPECTED:
    raise SystemExit("the behaviour has changed")
PY
