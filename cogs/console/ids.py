"""The console's made-up server: its ids, who reads its channels, and Kith's answers in it.

The same name is always the same person or channel.
"""

import hashlib
import secrets
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from utils.models.conversation import Answer
from utils.models.memory import Audience, Event, Role

GUILD_ID = 1
KITH_ID = 2
OPEN_CHANNEL_ID = 3  # open channels have the same readers, like public threads of this one
PRIVATE = "private"
FIRST_YEAR, LAST_YEAR = 2015, 2083  # the years that a message id of 63 bits can encode
DISCORD_EPOCH = datetime(2015, 1, 1, tzinfo=UTC)


def audience(name: str) -> Audience:
    """Return who reads an answer in a channel: everyone, unless its name begins with "private"."""
    channel, is_open = channel_id(name), not name.casefold().startswith(PRIVATE)
    return Audience(GUILD_ID, channel, frozenset({channel, OPEN_CHANNEL_ID}), is_open=is_open)


def person_id(name: str) -> int:
    """Return the user id of a person's name, in any case."""
    return _stable_id("person", name)


def channel_id(name: str) -> int:
    """Return the id of a channel's name, in any case."""
    return _stable_id("channel", name)


def snowflake(now: datetime) -> int:
    """Return a message id in Discord's format: milliseconds since 2015, then 22 other bits."""
    milliseconds = max(0, (now - DISCORD_EPOCH) // timedelta(milliseconds=1))
    return (milliseconds << 22) | secrets.randbits(22)


def answer_event(asked: Event, answer: Answer, now: datetime) -> Event:
    """Return Kith's answer to a message as a message of the same channel."""
    return replace(
        asked,
        message_id=snowflake(now),
        author_id=KITH_ID,
        author_name="Kith",
        role=Role.KITH,
        text=answer.text if answer.stored_text is None else answer.stored_text,
        created_at=now,
        reply_to_id=asked.message_id,
        about_ids=answer.about_ids,
        provenance=answer.provenance,
    )


def _stable_id(kind: str, name: str) -> int:
    """Return an id of 53 bits that a name always has, in any case."""
    digest = hashlib.blake2b(f"{kind}:{name.casefold()}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) >> 11
