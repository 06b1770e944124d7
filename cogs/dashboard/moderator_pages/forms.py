"""The settings forms of moderators' pages: sections of fields, and what a form sends."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import go_to, number, show
from cogs.dashboard.web.access import digest_of
from cogs.dashboard.web.context import Channel, Moderator
from cogs.dashboard.web.language import tr
from utils.common.errors import BadInput, Conflict

Options = Sequence[tuple[object, str]]
SAVE = ("", "Save", "main")
NEVER_ANSWERS = "Kith never answers in that channel; choose another."
TEXT_KINDS = frozenset({"text", "news"})
POST_KINDS = TEXT_KINDS | {"voice", "stage_voice"}


@dataclass(frozen=True, slots=True)
class Field:
    """A field: ``kind`` is select, checks, text, area, number or hidden.

    ``label`` and ``hint`` are English texts; the names of ``options`` are not translated.
    """

    kind: str
    name: str
    label: str
    value: Any = ""
    options: Options = ()
    hint: str = ""
    limits: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of check boxes: a row for each channel, a column for each purpose."""

    columns: Options
    rows: Sequence[Channel]
    chosen: Mapping[str, frozenset[int]]


@dataclass(frozen=True, slots=True)
class Section:
    """A form.

    ``buttons`` are values of "act", English labels and CSS classes. ``name`` stands in the title,
    and ``text`` above the fields; people wrote both.
    """

    action: str
    title: str
    fields: Sequence[Field] = ()
    lead: str = ""
    text: str = ""
    name: str = ""
    table: Table | None = None
    buttons: Sequence[tuple[str, str, str]] = field(default_factory=lambda: [SAVE])


def page_of(request: Request, title: str, lead: str, sections: Sequence[Section]) -> Response:
    """Return a page of forms."""
    return show(request, "mod_settings.html", title=title, lead=lead, sections=sections)


def saved(page: str) -> Response:
    """Return to a page after a change."""
    return go_to(f"/mod/{page}?done=saved")


async def _form_of(request: Request) -> FormData:
    return await request.form()


Typed = Annotated[FormData, Depends(_form_of)]
"""The fields of a form as a parameter of a route."""


def text_of(form: FormData, name: str) -> str:
    """Return the text of a field, "" without one."""
    return str(form.get(name, "")).strip()


def check_unchanged(form: FormData, now: object) -> None:
    """Raise Conflict unless a form was made from the values that hold now."""
    if text_of(form, "seen") != seen(now).value:
        raise Conflict(
            "Somebody changed this meanwhile, so nothing was saved. Look, and choose again."
        )


def seen(now: object) -> Field:
    """Return the hidden field that tells from which values a form was made."""
    return Field("hidden", "seen", "", digest_of(repr(now)).hex())


def channels_in(form: FormData, name: str, moderator: Moderator) -> list[int]:
    """Return the channels of a field. Raises BadInput for one that the moderator does not see."""
    typed = [number(str(value), "A channel") for value in form.getlist(name)]
    chosen = [channel_id for channel_id in typed if channel_id is not None]
    if not set(chosen) <= moderator.channel_names.keys():
        raise BadInput("Choose a channel that you see.")
    return chosen


def channel_in(
    form: FormData, name: str, moderator: Moderator, kinds: Collection[str] | None = None
) -> int | None:
    """Return the channel of a select, or None.

    Raises BadInput as :func:`channels_in`, and for a channel of none of these kinds.
    """
    channel_id = next(iter(channels_in(form, name, moderator)), None)
    if channel_id not in {None, *dict(channel_options(moderator, kinds=kinds))}:
        raise BadInput("Choose a channel from the list.")
    return channel_id


def channel_field(
    moderator: Moderator,
    label: str = "Channel",
    hint: str = "",
    kinds: Collection[str] | None = None,
) -> Field:
    """Return the select of one channel of these kinds, which begins with none."""
    options = channel_options(moderator, tr("Choose a channel"), kinds)
    return Field("select", "channel", label, "", options, hint)


def channel_options(
    moderator: Moderator, none: str = "", kinds: Collection[str] | None = None
) -> Options:
    """Return the channels of these kinds that a moderator sees; ``none`` stands for no channel."""
    names = moderator.channel_names
    options = [
        (place.id, names[place.id])
        for place in moderator.channels
        if kinds is None or place.kind in kinds
    ]
    return [("", none), *options] if none else options
