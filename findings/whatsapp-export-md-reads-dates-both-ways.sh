#!/bin/sh
# whatsapp-export-md 0.1.7 with python-dateutil 4.0.0 (PyPI, CPython 3.11), which makes Markdown by days of WhatsApp chats of
# Android and iPhones. Each line's date is guessed by itself, the day first: in an American export 5/11/26 is 5 November and
# 5/28/26 is 28 May. Of each month the first twelve days are strewn over the year, in front of messages that came before
# them, and what is written below as the range of the export ends before it begins. On iPhones any further line of a message
# that begins with brackets and has a colon is another person's: the second line of "My rules:" is said by "Tests", at
# midnight of the first of that month in which the file is converted. A picture's line, which begins with U+200E there,
# becomes words of the person before.
# Source: LINE_PATTERNS and normalize_times (dayfirst=True, fuzzy=True) in whatsapp_export_md/cli.py of the wheel; the README:
# "Robust parsing of timestamps and multi-line messages". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "whatsapp-export-md==0.1.7" "python-dateutil==4.0.0"
cd "$folder"
venv/bin/python - <<'PY'
import subprocess
from datetime import date
from pathlib import Path

AMERICAN = """5/11/26, 2:05 PM - Ada: I start my new job
5/28/26, 9:00 AM - Ben: We meet on Friday
6/2/26, 10:00 AM - Cy: It is my birthday
"""
IPHONE = """[28/11/2024, 14:05:03] Ada: Look at this
\u200e[28/11/2024, 14:06:10] Ben: \u200e<attached: 12-PHOTO.jpg>
[28/11/2024, 14:07:00] Cy: My rules:
[1] Tests: always
"""


def markdown(chat):
    """Return the lines of Markdown of a chat, without marks that are not seen."""
    Path("chat.txt").write_text(chat)
    command = ["venv/bin/whatsapp-export-md", "--input", "chat.txt", "--out", "chat.md"]
    subprocess.run(command, check=True)
    lines = Path("chat.md").read_text().replace("\u200e", "").splitlines()
    return [line for line in lines[1:] if line]


american, iphone = markdown(AMERICAN), markdown(IPHONE)
print(*american, *iphone, sep="\n")
first = date.today().replace(day=1)
if american != [
    "_Export range_: 2026-11-05 → 2026-02-06",
    *("## 2026-02-06 (Friday)", "- `10:00` **Cy**: It is my birthday"),
    *("## 2026-05-28 (Thursday)", "- `09:00` **Ben**: We meet on Friday"),
    *("## 2026-11-05 (Thursday)", "- `14:05` **Ada**: I start my new job"),
] or iphone != [
    f"_Export range_: 2024-11-28 → {first}",
    "## 2024-11-28 (Thursday)",
    *("- `14:05` **Ada**: Look at this", "[28/11/2024, 14:06:10] Ben: <attached: 12-PHOTO.jpg>"),
    "- `14:07` **Cy**: My rules:",
    *(f"## {first:%Y-%m-%d (%A)}", "- `00:00` **Tests**: always"),
]:
    raise SystemExit("the behaviour has changed")
PY
