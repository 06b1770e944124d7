#!/bin/sh
# discord-fetch 0.0.11 with discord.py 2.7.1 (PyPI, CPython 3.11), "Fetch message history from discord for LLMs". What it
# writes for models by default, create_thread_aware_conversations(), is not the history. A reply to a reply is in no
# conversation: whoever answers an answer is not heard. A first message of fewer than 60 characters is left out with all
# replies and the whole thread below it, and so is a picture with many answers; in a thread, "yes" and "no" are left
# out, as shorter than five characters. Nothing counts or marks what is gone; the summary counts messages before that.
# Source: organize_messages_with_threads and the two lengths at the end of create_thread_aware_conversations in
# discord_fetch/core.py of the wheel. The README says that the format "groups related messages into conversations" and
# names no length; its example, whose question has 29 characters, comes back as no conversation. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "discord-fetch==0.0.11" "discord.py==2.7.1"
cd "$folder"
DISCORD_TOKEN=x venv/bin/python -W ignore - <<'PY'
from discord_fetch.core import create_thread_aware_conversations


def message(message_id, name, content, reply_to=None):
    """Return a message as fetch_channel_complete_history() has it."""
    author = {"name": name, "id": str(len(name)), "display_name": name}
    reference = {"message_id": reply_to, "channel_id": "1"} if reply_to else None
    lists = {key: [] for key in ("attachments", "embeds", "reactions", "mentions")}
    times = {"timestamp": f"2026-11-20T10:{message_id:0>2}:00+00:00", "edited_timestamp": None}
    return {"id": message_id, "author": author, "content": content, "reply_to": reference, "pinned": False} | lists | times


def history(*messages, threads=None):
    """Return a channel as fetch_channel_complete_history() has it."""
    place = {"id": "1", "name": "general", "topic": None, "guild_name": "Club", "guild_id": "2"}
    return {"channel_info": place, "messages": list(messages), "threads": threads or {}}


def told(channel):
    """Return all words that a model is given."""
    conversations = create_thread_aware_conversations(channel)["conversations"]
    return [
        part["content"]
        for each in conversations
        for part in (each["question"], *each.get("thread", ()), *each.get("replies", ()))
    ]


LONG = "Which of the two rooms shall we take for the games on Friday evening, the small or the big one?"
replies = history(
    message("1", "ann", LONG),
    message("2", "bob", "The small one is free.", "1"),
    message("3", "cleo", "No, it was booked this morning!", "2"),
    message("4", "dan", "Then the big one, I have the key.", "3"),
)
answers = [message("12", "bob", "yes", "11"), message("13", "cleo", "no!", "11"), message("14", "dan", "maybe")]
thread = {"id": "11", "name": "Key", "parent_message_id": "11", "archived": False, "messages": answers}
threaded = history(message("11", "ann", LONG), threads={"11": thread})
short = history(
    message("21", "alice", "Has anyone tried the new API?"),
    message("22", "bob", "Yes! It's much faster now", "21"),
    message("23", "charlie", "Agreed, the response time improved by 50%", "21"),
)
picture = history(
    message("31", "ann", "") | {"attachments": [{"url": "https://cdn.example/a.png", "filename": "a.png"}]},
    message("32", "bob", "Is that the new room? It looks much bigger than the one we have had.", "31"),
)
cases = {"replies": replies, "thread": threaded, "README's example": short, "picture": picture}
seen = {name: told(channel) for name, channel in cases.items()}
for name, channel in cases.items():
    count = len(channel["messages"]) + sum(len(each["messages"]) for each in channel["threads"].values())
    print(f"{name}: {count} messages, told:", *seen[name] or ["nothing"], sep="\n  ")
expected = {
    "replies": [LONG, "The small one is free."],
    "thread": [LONG, "maybe"],
    "README's example": [],
    "picture": [],
}
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
