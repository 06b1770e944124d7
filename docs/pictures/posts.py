"""What stands in a picture of Discord: posts, and HTML like Discord's, which posts.html makes."""

import html
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment

STYLE = Path(__file__).with_name("discord.css")
TEMPLATE = Path(__file__).with_name("posts.html")
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
    templates = Environment(autoescape=False)  # noqa: S701 - the filters escape
    templates.filters |= {"markup": _markup, "escaped": html.escape}
    return templates.from_string(TEMPLATE.read_text(encoding="utf-8")).render(
        posts=posts,
        colours=dict(zip(("Kith", *people), COLOURS, strict=False)),
        style=STYLE.read_text(encoding="utf-8"),
        theme="dark" if is_dark else "light",
    )


def _markup(text: str, now: datetime) -> str:
    """Return a line of Discord's Markdown as HTML."""
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
