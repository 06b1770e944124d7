#!/bin/sh
# slack-to-discord 1.3.0 with discord.py 2.7.1 (PyPI, CPython 3.11), which posts an export of Slack on Discord. What makes
# Slack's bold to Discord's also works in code: the formula a*b*c is posted as a**b**c, which is a power, and "2 * 3 * 4" has
# a bold 3. What looks for names of emojis takes the middle of two times: "9:30-10:30" is "9:30_10:30" afterwards. A link
# with a label is turned into Discord's form only if its address has none of some signs; with "&" or "%" in it, as
# each with two parameters has, its source is posted: "<https://...|form>", which Discord shows as it is. A date that
# Slack shows each reader in their zone is a mention with the words meant for old programs. An answer in a thread whose
# first message is not in the export is left out, and only the log for debugging has it.
# Source: md_fix_bold, EMOJI_RE, LINK_RE, MENTION_RE and slack_channel_messages in importer.py of the wheel; Slack's page
# "Formatting message text" ("&amp;" in texts, <!date^...>). Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "slack-to-discord==1.3.0" "discord.py==2.7.1"
cd "$folder"
venv/bin/python -W ignore - <<'PY'
import json
from pathlib import Path

from slack_to_discord.importer import make_discord_msgs, slack_channel_messages

EXPECTED = {
    "```area = a*b*c```": "```area = a**b**c```",
    "2 * 3 * 4 plates": "2 ** 3 ** 4 plates",
    "Tea is from 9:30-10:30 on Friday": "Tea is from 9:30_10:30 on Friday",
    "<https://example.org/form?day=5|the form>": "[the form](https://example.org/form?day=5)",
    "<https://example.org/form?day=5&amp;hour=9|the form>": "<https://example.org/form?day=5&hour=9|the form>",
    "<https://example.org/my%20form|the form>": "<https://example.org/my%20form|the form>",
    "We meet <!date^1796148000^{date_short} at {time}|1 December, 18:00 UTC>": "We meet `@1 December, 18:00 UTC`",
    "*Bring* tea": "**Bring** tea",
}
messages = [
    {"type": "message", "user": "U1", "text": text, "ts": f"{1796148000 + number}.000100"}
    for number, text in enumerate(EXPECTED)
]
reply = {"type": "message", "user": "U1", "text": "The key is at Kim's", "thread_ts": "1796000000.000100"}
messages.append({**reply, "ts": "1796149000.000100"})
channel = Path("export/club")
channel.mkdir(parents=True)
(channel / "2026-12-01.json").write_text(json.dumps(messages))
users = {"U1": ("Kim", None)}
read = slack_channel_messages("export", "club", {}, users, {}, set(), "%Y-%m-%d", "")
posted = [part["content"] for message in read for part in make_discord_msgs(message)]
for text, content in zip(EXPECTED, posted, strict=False):
    print(f"{text} -> {content}")
print("posted:", len(posted), "of", len(messages))
if posted != list(EXPECTED.values()):
    raise SystemExit("the behaviour has changed")
PY
