"""What docs/intents.md answers Discord: the intents, the code that it names, direct messages."""

import ast
import re
from pathlib import Path

from cogs.bot.client import gateway_intents
from tests.rows import each_row

ROOT = Path(__file__).resolve().parents[4]
PAGE = (ROOT / "docs/intents.md").read_text(encoding="utf-8")
# discord.Intents has no list of them: https://discord.com/developers/docs/events/gateway
PRIVILEGED = ("members", "presences", "message_content")
OPENS_DIRECT_MESSAGES = {
    "cogs/ask/command_turns.py": "sends nothing: who reads the answer to /ask",
    "cogs/reminders/delivery.py": "a reminder that the member asked for",
}
PEOPLE = frozenset({"author", "member", "owner", "person", "target", "user"})


@each_row("is_granted", [True, False])
def test_of_the_privileged_intents_only_message_content_is_asked_for(is_granted):
    intents = gateway_intents(message_content=is_granted)
    asked_for = [name for name in PRIVILEGED if getattr(intents, name)]
    assert asked_for == ["message_content"] * is_granted


def test_only_a_reminder_is_sent_by_direct_message():
    opening = set()
    for file in sorted(ROOT.glob("cogs/**/*.py")):
        source = file.read_text(encoding="utf-8")
        may_open = any(word in source for word in ("create_dm", "dm_channel", ".send"))
        for node in ast.walk(ast.parse(source)) if may_open else ():
            if not isinstance(node, ast.Attribute):
                continue
            of = node.value
            name = of.attr if isinstance(of, ast.Attribute) else getattr(of, "id", "")
            if node.attr in ("create_dm", "dm_channel") or (node.attr == "send" and name in PEOPLE):
                opening.add(file.relative_to(ROOT).as_posix())
    assert opening == OPENS_DIRECT_MESSAGES.keys()


def test_the_form_sends_who_asks_about_encryption_to_a_section_that_exists():
    (title,) = re.findall(r"\(security\.md#([\w-]+)\)", PAGE)
    security = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", security, re.MULTILINE)
    assert title in [heading.lower().replace(" ", "-") for heading in headings]
