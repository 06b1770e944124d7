#!/bin/sh
# whatsapp2pdf 0.1.0 (PyPI, CPython 3.11), which makes a PDF of a chat exported from WhatsApp. Dates with dots, as phones in
# Germany, Austria, Poland or Turkey write them, and years first with slashes, as in Japan, are found and then not read: no
# message of such a chat has a time, the cover has no dates, and no day stands in the PDF. Of an export with slashes all is
# right. A group that is renamed to "Trip: Rome" has a participant of its own.
# Source: its README, "a cover page (title, date range, participants and totals), then ... a date pill whenever the day
# changes"; its pattern for a line takes ".", "/" and "-" between the numbers. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "whatsapp2pdf==0.1.0" "pypdf==6.1.1" 2>"$folder/pip.log"
cd "$folder"
number=0
for date in 24/12/26 24.12.26 24.12.2026 2026/12/24 2026-12-24; do
  number=$((number + 1))
  printf '%s, 18:05 - Ada: Is Eva vegan?\n%s, 18:06 - Ben: No\n' "$date" "$date" >$number.txt
  venv/bin/whatsapp2pdf $number.txt $number.pdf --title Club >log 2>&1
  echo "$date" >>dates
done
venv/bin/python - >seen <<'PY'
from pathlib import Path

from pypdf import PdfReader

for number, date in enumerate(Path("dates").read_text().split(), 1):
    pages = [page.extract_text().split("\n") for page in PdfReader(f"{number}.pdf").pages]
    days = pages[0][pages[0].index("days") - 1]
    print(date, "->", days, "days:", " | ".join(line for page in pages[1:] for line in page if line))
PY
cat seen
cat >expected <<'TEXT'
24/12/26 -> 1 days: Club | 24 December 2026 | Thursday, 24 December 2026 | Ada | Is Eva vegan? | 18:05 | Ben | No | 18:06 | 2
24.12.26 -> 0 days: Club | Ada | Is Eva vegan? | Ben | No | 2
24.12.2026 -> 0 days: Club | Ada | Is Eva vegan? | Ben | No | 2
2026/12/24 -> 0 days: Club | Ada | Is Eva vegan? | Ben | No | 2
2026-12-24 -> 1 days: Club | 24 December 2026 | Thursday, 24 December 2026 | Ada | Is Eva vegan? | 18:05 | Ben | No | 18:06 | 2
TEXT
cmp seen expected
