"""A message as it is stored: clean, clipped to its columns, with its stems. Pure."""

import re
from dataclasses import replace

from utils.common.text import clean, clip, one_line
from utils.common.visible_text import own_words_of, written_words
from utils.models.memory import EVENT_LIMIT, Event
from utils.nlp.stemming import stems

EVENT_STEMS = 60
NAME_LIMIT = 100
DISCORD_CODE = re.compile(r"<(?:a?:\w+:|[@#][!&]?)\d+>")


def storable(event: Event) -> Event:
    """Return an event as it can be stored."""
    text = storable_text(event.text)
    return replace(
        event,
        text=text,
        author_name=storable_name(event.author_name),
        stems=" ".join(stems(written_words(text), limit=EVENT_STEMS)),
    )


def storable_name(name: str) -> str:
    """Return what is kept of a person's name."""
    return clip(one_line(clean(name)), NAME_LIMIT) or "someone"


def storable_text(text: str) -> str:
    """Return what is kept of a message's words."""
    return clip(clean(text), EVENT_LIMIT)


def is_worded(text: str) -> bool:
    """Whether its author wrote a letter or a digit, mentions and custom emoji aside."""
    return any(map(str.isalnum, DISCORD_CODE.sub("", own_words_of(text))))
