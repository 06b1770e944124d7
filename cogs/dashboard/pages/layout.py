"""What all pages share: the templates, how values are written, and who is looking.

Everything that people wrote is escaped by the templates; nothing here marks text as safe but SVG
that was drawn from numbers.
"""

import hashlib
import math
import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from fastapi import Path as InPath
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse

from cogs.dashboard.house import House
from utils.errors import BadInput
from utils.model.browsing import LARGEST_ID
from utils.model.memory import DIRECT_MESSAGES, SERVER_ITSELF
from utils.model.operator import OPERATOR

HERE = Path(__file__).parents[1]
MINUTE_S, HOUR_S, DAY_S = 60, 3600, 86_400
PAGES = (
    ("/", "Overview"),
    ("/servers", "Members"),
    ("/review", "Review"),
    ("/recall", "Recall"),
    ("/audit", "Audit"),
    ("/policy", "Policy"),
    ("/jobs", "Jobs"),
    ("/settings", "Settings"),
)
PathId = Annotated[int, InPath(ge=0, le=LARGEST_ID)]
"""A number in an address; for what can be none of anything, there is no such page."""

NUMBER = re.compile(r"-?[0-9]{1,19}")
DONE = {  # what a page says after a change, named in its address
    "saved": "Saved. It holds from the next reply on.",
    "same": "Nothing was changed: it was like that already.",
    "forgotten": "Forgotten. Its text is erased, and the same message cannot teach it again.",
    "approved": "Approved. The memory is in use from the next reply on.",
    "rejected": "Rejected. Its text is erased, and it is not learnt again from that message.",
    "decided": "This had been decided already; nothing was changed.",
    "rolled-back": "Rolled back. The version before holds again, in every process.",
    "ran": "The job has run; its report stands below.",
    "shadow-started": "The shadow has started. It changes no answer.",
    "shadow-ended": "The shadow has ended.",
}


def house_of(request: Request) -> House:
    """Return what the page may ask."""
    found: House = request.app.state.house
    return found


def show(
    request: Request,
    template: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> HTMLResponse:
    """Return a page."""
    house = house_of(request)
    session = getattr(request.state, "session", None)
    page = environment().get_template(template)
    html = page.render(
        path=request.url.path,
        pages=PAGES,
        csrf=session.csrf if session else "",
        is_in=session is not None,
        done=DONE.get(request.query_params.get("done", "")),
        now=house.core.clock.now(),
        **values,
    )
    return HTMLResponse(html, status, dict(headers or {}))


def go_to(path: str) -> RedirectResponse:
    """Send the browser on after a change, so that loading the page again changes nothing."""
    return RedirectResponse(path, 303)


def number(text: str | None, what: str) -> int | None:
    """Return a number that somebody chose or typed; None for none. Raises BadInput."""
    typed = (text or "").strip()
    if not typed:
        return None
    if NUMBER.fullmatch(typed) is None or abs(int(typed)) > LARGEST_ID:
        raise BadInput("{what} is a number of at most 19 digits; this is none.", what=what)
    return int(typed)


def server_name(house: House, guild_id: int) -> str:
    """Return what a server is called, or its number."""
    if guild_id == DIRECT_MESSAGES:
        return "Direct messages"
    found = next((one.name for one in house.discord.servers() if one.id == guild_id), None)
    return found or f"Server {guild_id}"


def person_name(house: House, guild_id: int, user_id: int, known: str | None = None) -> str:
    """Return what somebody is called, or their number."""
    if user_id == SERVER_ITSELF:
        return "Kith as a whole" if guild_id == DIRECT_MESSAGES else "The server itself"
    return known or house.discord.name_of(guild_id, user_id) or f"Member {user_id}"


def actor_name(house: House, guild_id: int, actor_id: int, member_id: int | None = None) -> str:
    """Return who did something."""
    if actor_id == OPERATOR:
        return "the operator"
    if actor_id == 0:
        return "Kith"
    if actor_id == member_id:
        return "the member"
    return person_name(house, guild_id, actor_id)


def ago(at: datetime, now: datetime) -> str:
    """Return how long ago, or in how long, in one unit."""
    seconds = (now - at).total_seconds()
    size = abs(seconds)
    for unit_s, name in ((DAY_S, "day"), (HOUR_S, "hour"), (MINUTE_S, "minute")):
        if size >= unit_s:
            count = math.floor(size / unit_s)
            told = f"{count} {name}{'s' if count > 1 else ''}"
            return f"{told} ago" if seconds > 0 else f"in {told}"
    return "just now" if seconds >= 0 else "in a moment"


def count(value: float) -> str:
    """Return a count with its thousands set apart."""
    return f"{value:,.0f}"


@cache
def environment() -> Environment:
    """Return the templates; everything put into them is escaped."""
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters |= {"ago": ago, "count": count, "day": "{:%-d %b %Y}".format, "clock": _clock}
    made.globals["asset"] = _asset
    return made


def _clock(at: datetime) -> str:
    return f"{at:%-d %b %Y, %H:%M} UTC"


@cache
def _asset(name: str) -> str:
    """Return a static file's address, which changes with its content."""
    content = (HERE / "static" / name).read_bytes()
    return f"/static/{name}?{hashlib.sha256(content).hexdigest()[:8]}"
