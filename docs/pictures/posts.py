"""What stands in a picture of Discord: posts, and the HTML that looks like Discord's."""

import html
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

STYLE = Path(__file__).with_name("discord.css")
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
_TIMESTAMP = re.compile(r"&lt;t:(\d+):([DfR])&gt;")
COLOURS = ("#5865f2", "#e67e22", "#1abc9c")
# The machine that takes the pictures may have no font with emoji.
_MEMO = (
    "<svg width=14 height=14 viewBox='0 0 16 16'><path fill='#d5dbe1' d='M2 1h10v14H2z'/>"
    "<path stroke='#8a949e' d='M4 4.5h6M4 7.5h6M4 10.5h3'/>"
    "<path stroke='#f4a836' stroke-width=2.4 d='M14.5 5.5 8.5 12'/></svg>"
)
_MARKUP = (
    (re.compile("📝"), _MEMO),
    (re.compile(r"\*\*(.+?)\*\*"), r"<b>\1</b>"),
    (re.compile(r"`(.+?)`"), r"<code>\1</code>"),
    (re.compile(r"\*(.+?)\*"), r"<i>\1</i>"),
    (re.compile(r"\[(.+?)\]\(\S+?\)"), r"<a>\1</a>"),
    (re.compile(r"&lt;(@\w+)&gt;"), r"<span class=mention>\1</span>"),
    (re.compile(r"&lt;/([\w ]+):\d+&gt;"), r"<span class=mention>/\1</span>"),
    (
        re.compile(r"https://discord\.com/channels/\d+/\d+/\d+"),
        r"<span class=mention># general › message</span>",
    ),
    (re.compile(r"&lt;(https?://\S+?)&gt;"), r"<a>\1</a>"),
)


class ShownMessage(NamedTuple):
    """A message as a reader sees it; ``command`` is the slash command or menu that it answers.

    ``cards`` are the texts of its embeds, ``selects`` what its lists show before one is chosen.
    """

    author: str
    at: datetime
    text: str
    buttons: Sequence[str] = ()
    cards: Sequence[str] = ()
    selects: Sequence[str] = ()
    reply_to: "ShownMessage | None" = None
    command: str = ""
    is_private: bool = False
    channel: str = ""

    @property
    def is_kith(self) -> bool:
        """Whether Kith wrote it."""
        return self.author == "Kith"


def page(posts: Sequence[ShownMessage], *, is_dark: bool) -> str:
    """Return a page with these posts, as Discord shows them, below the name of their channel."""
    people = sorted({post.author for post in posts if not post.is_kith})
    parts = []
    for before, post in zip((None, *posts), posts, strict=False):
        is_elsewhere = before is None or before.channel != post.channel
        if is_elsewhere:
            parts.append(f"<header><span>#</span>{html.escape(post.channel)}</header>")
        is_first_of_day = before is None or before.at.date() != post.at.date()
        parts.append(_post(post, people, is_first_of_day=is_elsewhere or is_first_of_day))
    theme = "dark" if is_dark else "light"
    style = STYLE.read_text(encoding="utf-8")
    return (
        f"<!doctype html><meta charset=utf-8><style>{style}</style><body class={theme}>"
        f"<main>{''.join(parts)}</main>"
    )


def _post(post: ShownMessage, people: Sequence[str], *, is_first_of_day: bool) -> str:
    colour = COLOURS[0] if post.is_kith else COLOURS[1 + people.index(post.author)]
    parts = []
    if is_first_of_day:
        parts.append(f"<div class=day><span>{post.at.day} {post.at:%B %Y}</span></div>")
    parts.append("<article class=private>" if post.is_private else "<article>")
    if post.reply_to is not None:
        asked = post.reply_to
        parts.append(f"<div class=reply><i></i>@{asked.author} {_line(asked.text, post.at)}</div>")
    if post.command:
        parts.append(
            f"<div class=reply><i></i>You used <span class=mention>{post.command}</span></div>"
        )
    parts.append(f"<div class=avatar style='background:{colour}'>{post.author[0]}</div><div>")
    badge = "<span class=app>APP</span>" if post.is_kith else ""
    parts.append(f"<h2>{post.author}{badge}<time>{post.at:%H:%M}</time></h2>")
    parts.extend(_paragraph(line, post.at) for line in post.text.splitlines())
    for card in post.cards:
        lines = "".join(_paragraph(line, post.at) for line in card.splitlines())
        parts.append(f"<section>{lines}</section>")
    parts.extend(f"<div class=select>{html.escape(text)}</div>" for text in post.selects)
    if post.buttons:
        buttons = "".join(f"<button>{html.escape(label)}</button>" for label in post.buttons)
        parts.append(f"<div class=buttons>{buttons}</div>")
    if post.is_private:
        parts.append("<p class=small>Only you can see this · <a>Dismiss message</a></p>")
    parts.append("</div></article>")
    return "".join(parts)


def _paragraph(line: str, now: datetime) -> str:
    if line.startswith("-# "):
        return f"<p class=small>{_line(line.removeprefix('-# '), now)}</p>"
    if line.startswith("> "):
        return f"<blockquote>{_line(line.removeprefix('> '), now)}</blockquote>"
    if line.startswith("- "):
        return f"<p class=item>• {_line(line.removeprefix('- '), now)}</p>"
    return f"<p>{_line(line, now)}</p>"


def _line(text: str, now: datetime) -> str:
    text = html.escape(text, quote=False).replace("@Kith", "<span class=mention>@Kith</span>")
    for pattern, replacement in _MARKUP:
        text = pattern.sub(replacement, text)
    return _TIMESTAMP.sub(lambda match: _time(int(match[1]), match[2], now), text)


def _time(seconds: int, style: str, now: datetime) -> str:
    """Return a timestamp as Discord shows it: R in hours or days from now, D the day, f in full."""
    moment = datetime.fromtimestamp(seconds, UTC)
    if style == "R":
        unit, name = (DAY, "days") if abs(moment - now) >= DAY else (HOUR, "hours")
        count = round((moment - now) / unit)
        shown = f"in {count} {name}" if count > 0 else f"{-count} {name} ago"
    elif style == "D":
        shown = f"{moment.day} {moment:%B %Y}"
    else:
        shown = f"{moment.day} {moment:%B %Y at %H:%M}"
    return f"<span class=timestamp>{shown}</span>"
