"""What all pages share: templates, formatting of values, and names.

The templates escape all text.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from discord import Locale
from fastapi import Path as InPath
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse

from cogs.bot.localisation import ENGLISH
from cogs.dashboard.web import language
from cogs.dashboard.web.context import DashboardContext, context_of
from cogs.dashboard.web.language import tr
from cogs.dashboard.web.visits import MODERATORS, home_of
from utils.common.errors import BadInput
from utils.models.admin import MAX_ID
from utils.models.memory import DIRECT_MESSAGES, SERVER_USER_ID
from utils.models.operator import OPERATOR

HERE = Path(__file__).parents[1]
PAGES = (
    ("/", "Overview"),
    ("/servers", "Members"),
    ("/memories", "Memories"),
    ("/review", "Review"),
    ("/watching", "Watching"),
    ("/recall", "Recall"),
    ("/audit", "Audit"),
    ("/policy", "Policy"),
    ("/settings", "Settings"),
    ("/api/docs", "API"),
)
MODERATOR_PAGES = (
    ("/mod", "Start"),
    ("/mod/channels", "Channels"),
    ("/mod/voice", "Voice"),
    ("/mod/memory", "Memory"),
    ("/mod/review", "Review"),
    ("/mod/alerts", "Alerts"),
    ("/mod/log", "Log"),
)
PathId = Annotated[int, InPath(ge=0, le=MAX_ID)]
"""An id in a path; an impossible one is a 404."""

NUMBER = re.compile(r"[0-9]{1,19}")
DONE = {  # messages after a change, by the query parameter "done"
    "saved": "Saved. It applies from the next reply.",
    "same": "Nothing changed: it was already like that.",
    "forgotten": "Forgotten. Its text is erased and is not learned again from that message.",
    "corrected": "Saved. I use your words from my next reply.",
    "consent": "Saved. It applies to everything I keep of you there.",
    "approved": "Approved. The memory is used from the next reply.",
    "rejected": "Rejected. Its text is erased and is not learned again from that message.",
    "taken-back": "Taken back. The setting is as it was.",
    "decided": "This was already decided; nothing changed.",
    "rolled-back": "Rolled back. The earlier version is active in every process.",
    "shadow-started": "The shadow has started. It changes no answer.",
    "shadow-ended": "The shadow has ended.",
}


def show(
    request: Request,
    template: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> HTMLResponse:
    """Return a page."""
    context = context_of(request)
    session = getattr(request.state, "session", None)
    visit = getattr(request.state, "visit", None)
    visitor = session or visit
    home = home_of(request.url.path)
    pages: Sequence[tuple[str, str]] = PAGES if session else ()
    if home == MODERATORS.home and visit is not None:
        pages = MODERATOR_PAGES
    # A change of the language leads back to this page, unless it was posted.
    query = f"?{request.url.query}" if request.url.query else ""
    page = environment().get_template(template)
    html = page.render(
        path=request.url.path,
        address=f"{request.url.path}{query}" if request.method == "GET" else home,
        language=language.current(),
        languages=language.languages().values(),
        pages=pages,
        csrf=visitor.csrf if visitor else "",
        home=home,
        is_in=session is not None,
        done=DONE.get(request.query_params.get("done", "")),
        now=context.app.clock.now(),
        notice=context.notice if session else "",
        **values,
    )
    return HTMLResponse(html, status, dict(headers or {}))


def go_to(path: str) -> RedirectResponse:
    """Redirect after a change, so that a reload does not repeat it."""
    return RedirectResponse(path, 303)


def number(text: str | None, label: str) -> int | None:
    """Return the number of a form field; None if empty. Raises BadInput."""
    typed = (text or "").strip()
    if not typed:
        return None
    if NUMBER.fullmatch(typed) is None or int(typed) > MAX_ID:
        raise BadInput("{what} must be a number of at most 19 digits.", what=tr(label))
    return int(typed)


def chosen_server(context: DashboardContext, typed: str) -> int | None:
    """Return the server that a visitor chose, or the first one; None without any."""
    guild_id, servers = number(typed, "A server"), context.discord.servers()
    return guild_id if guild_id is not None else next((server.id for server in servers), None)


def choices(kinds: Iterable[StrEnum]) -> list[tuple[str, str]]:
    """Return the values of a field's choices, with their names in the language of the page."""
    return [(choice.value, tr(choice.value)) for choice in kinds]


def server_choices(
    context: DashboardContext, *, has_direct_messages: bool = False
) -> list[tuple[int, str]]:
    """Return the ids and names of the servers, and of direct messages at the end."""
    servers = [(server.id, server.name) for server in context.discord.servers()]
    return [*servers, (DIRECT_MESSAGES, tr("Direct messages"))] if has_direct_messages else servers


def server_name(context: DashboardContext, guild_id: int) -> str:
    """Return a server's name, or its id."""
    if guild_id == DIRECT_MESSAGES:
        return tr("Direct messages")
    servers = context.discord.servers()
    name = next((server.name for server in servers if server.id == guild_id), None)
    return name or tr("Server {id}", id=guild_id)


def person_name(
    context: DashboardContext, guild_id: int, user_id: int, stored_name: str | None = None
) -> str:
    """Return a person's name, or their id."""
    if user_id == SERVER_USER_ID:
        return tr("Kith as a whole" if guild_id == DIRECT_MESSAGES else "The server itself")
    name = stored_name or context.discord.name_of(guild_id, user_id)
    return name or tr("Member {id}", id=user_id)


def actor_name(
    context: DashboardContext, guild_id: int, actor_id: int, member_id: int | None = None
) -> str:
    """Return who did something."""
    if actor_id == OPERATOR:
        return tr("the operator")
    if actor_id == 0:
        return "Kith"
    if actor_id == member_id:
        return tr("the member")
    return person_name(context, guild_id, actor_id)


def page_locale() -> Locale:
    """Return the page's language as Discord names it."""
    page = language.current()
    return ENGLISH if page is language.ENGLISH else Locale(page.code)


@cache
def environment() -> Environment:
    """Return the templates; all values are escaped."""
    templates = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    templates.filters |= {
        name: getattr(language, name) for name in ("ago", "count", "day", "clock", "plain")
    }
    templates.filters |= {"written": language.written, "with_code": language.with_code}
    templates.globals |= {"asset": _asset, "t": language.t, "tn": language.tn}
    return templates


@cache
def _asset(name: str) -> str:
    """Return a static file's address, which changes with its content."""
    content = (HERE / "static" / name).read_bytes()
    return f"/static/{name}?{hashlib.sha256(content).hexdigest()[:8]}"
