"""What a person sees of a message, as one text. Pure.

The author's words come first. Each other part follows below its label, as a block quote, because
its words may be somebody else's:

    look at this
    [forwarded message]
    > I have two cats

Cards, polls and components are read in the form in which Discord's API and exports write them.
Times and commands, which Discord writes as <t:1796148000:f> and </ask:123>, are what they mean.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from utils.common.text import clean
from utils.models.attachment import without_placeholders

FORWARDED = "forwarded message"
STICKER = "sticker"
UNREADABLE = "[something that I cannot read]"
MAX_DEPTH = 8  # of components in components; Discord allows three
_PREVIEWS = {"image": "image", "gifv": "GIF", "video": "video", "poll_result": "result of a poll"}
_WRITTEN = ("content", "label", "placeholder", "description")
_HOLDERS = ("components", "accessory", "component", "items", "options")
_PICTURES = ("image", "video", "thumbnail")
_MARK = re.compile(
    r"```[\s\S]*?```|`[^`\n]*`"  # code, in which Discord shows marks as they are written
    r"|</(?P<command>[^:<>\n]{1,100}):[0-9]{1,20}>"
    r"|<t:(?P<time>-?[0-9]{1,13})(?::[a-zA-Z])?>"
)
_PART = re.compile(r"^\[(?!\w+ attached\])[^\[\]\n]+\]$(?:\n>(?: .*)?$)*", re.MULTILINE)


class MessagePart(NamedTuple):
    """A part of a message besides its author's words: what it is, and the text that it shows."""

    label: str
    text: str = ""


def with_parts(words: str, parts: Iterable[MessagePart]) -> str:
    """Return a message's words with its other parts below them."""
    return _MARK.sub(_meaning, "\n".join(filter(None, (words, *map(_block, parts)))))


def own_words_of(text: str) -> str:
    """Return a message's words without the other parts that :func:`with_parts` added."""
    return _PART.sub("", text).strip() if "[" in text else text


def written_words(text: str) -> str:
    """Return what its author wrote of a message's stored text: no placeholders, no other parts."""
    return own_words_of(without_placeholders(text))


def cards(embeds: Iterable[Mapping[str, Any]]) -> Iterator[MessagePart]:
    """Yield the cards and link previews of a message."""
    for embed in embeds:
        provider, author, footer = (
            embed.get(key) or {} for key in ("provider", "author", "footer")
        )
        is_card = embed.get("type", "rich") == "rich"
        label = "card" if is_card else _PREVIEWS.get(str(embed.get("type")), "link preview")
        lines = [
            provider.get("name"),
            author.get("name"),
            embed.get("title"),
            embed.get("description"),
            *(f"{field.get('name')}: {field.get('value')}" for field in embed.get("fields") or ()),
            footer.get("text"),
            embed.get("timestamp"),
            *_pictures_of(embed, is_card=is_card),
        ]
        yield MessagePart(label, _lines(lines))


def components(listed: Iterable[Mapping[str, Any]]) -> Iterator[MessagePart]:
    """Yield the texts and buttons of a message as one part."""
    listed = list(listed)
    if listed:
        yield MessagePart(
            "card", _lines(text for item in listed for text in _texts_in(item, MAX_DEPTH))
        )


def poll(question: str, answers: Iterable[str]) -> MessagePart:
    """Return a poll."""
    return MessagePart("poll", _lines([question, *(f"- {answer}" for answer in answers)]))


def _texts_in(component: Mapping[str, Any], depth: int) -> Iterator[object]:
    """Yield what a component and those in it show, pictures and files by their kind or name."""
    if isinstance(component.get("media"), Mapping) and not component.get("description"):
        yield "[image]"
    if isinstance(file := component.get("file"), Mapping):
        name = str(file.get("url")).partition("?")[0].rpartition("/")[2]
        yield f"[file: {component.get('name') or name}]"
    if isinstance(emoji := component.get("emoji"), Mapping) and not component.get("label"):
        yield emoji.get("name")
    yield from (component.get(key) for key in _WRITTEN if isinstance(component.get(key), str))
    for key in _HOLDERS if depth else ():
        inner = component.get(key) or ()
        for item in [inner] if isinstance(inner, Mapping) else inner:
            if isinstance(item, Mapping):
                yield from _texts_in(item, depth - 1)


def _pictures_of(embed: Mapping[str, Any], *, is_card: bool) -> Iterator[str]:
    """Yield the descriptions of an embed's pictures, and that a card has one without."""
    for kind in _PICTURES:
        picture = embed.get(kind)
        if isinstance(picture, Mapping):
            text = str(picture.get("description") or "")
            is_told = bool(text) or (is_card and kind == "image")
            yield f"[{kind}] {text}".strip() if is_told else ""


def _meaning(mark: re.Match[str]) -> str:
    """Return what Discord shows for a mark: a time, in UTC, or a command."""
    if mark["command"]:
        return f"/{mark['command']}"
    try:
        at = datetime.fromtimestamp(int(mark["time"]), UTC)
    except (OverflowError, TypeError, ValueError, OSError):  # code, or no time
        return mark[0]
    return f"{at:%Y-%m-%d %H:%M} UTC"


def _block(part: MessagePart) -> str:
    quoted = (f"> {line}".rstrip() for line in clean(part.text).split("\n") if part.text)
    return "\n".join((f"[{part.label}]", *quoted))


def _lines(texts: Iterable[object]) -> str:
    return "\n".join(str(text) for text in texts if text)
