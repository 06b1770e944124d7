"""Sizes and shapes Discord insists on: messages, embeds, components, modals, commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .errors import ApiError, bad_form
from .things import COMPONENTS_V2

CONTENT_MAX = 2000
BUTTON, STRING_SELECT, TEXT_INPUT, ROW, SECTION, CONTAINER, LABEL = 2, 3, 4, 1, 9, 17, 18
SELECTS = frozenset({3, 5, 6, 7, 8})
LINK_STYLE = 5
IN_MODALS = frozenset({ROW, TEXT_INPUT, 10, LABEL, 19, 21, 22, 23, *SELECTS})
COMMAND_NAME = re.compile(r"^[-_'\w]{1,32}$")


def _size(text: str) -> int:
    """Return a text's length in UTF-16 units: Discord does not say how it counts, and none of the
    ways gives more."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _length(field: str, value: str | None, most: int, least: int = 0) -> None:
    if value is None:
        return
    if not isinstance(value, str):
        raise bad_form(field, "BASE_TYPE_BAD_TYPE", "Must be a string.")
    if not least <= _size(value) <= most:
        if least == 0:
            raise bad_form(field, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
        raise bad_form(
            field, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length."
        )


def check_message(body: dict[str, Any], *, has_files: bool, partial: bool = False) -> None:
    """Refuse a message that is empty, too long or badly built; ``partial`` is for edits.

    Raises
    ------
    ApiError
        50006 for an empty message, 50035 for a field that breaks a limit.
    """
    content = body.get("content") or ""
    _length("content", content, CONTENT_MAX)
    check_embeds(body.get("embeds") or [])
    check_components(
        body.get("components") or [], v2=bool(int(body.get("flags") or 0) & COMPONENTS_V2)
    )
    if int(body.get("flags") or 0) & COMPONENTS_V2 and (content or body.get("embeds")):
        raise bad_form("content", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", "No text.")
    if partial:
        return
    filled = content.strip() or body.get("embeds") or body.get("components") or has_files
    if not (filled or body.get("sticker_ids") or body.get("poll")):
        raise ApiError(400, 50006, "Cannot send an empty message")
    nonce = body.get("nonce")
    if nonce is not None and len(str(nonce)) > 25:
        raise bad_form("nonce", "NONCE_TYPE_TOO_LONG", "Nonces can be at most 25 characters long.")


def check_embeds(embeds: list[dict[str, Any]]) -> None:
    """Refuse embeds over Discord's limits."""
    if len(embeds) > 10:
        raise bad_form("embeds", "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")
    total = 0
    for index, embed in enumerate(embeds):
        at = f"embeds.{index}"
        fields = embed.get("fields") or []
        footer, author = embed.get("footer") or {}, embed.get("author") or {}
        _length(f"{at}.title", embed.get("title"), 256)
        _length(f"{at}.description", embed.get("description"), 4096)
        _length(f"{at}.footer.text", footer.get("text"), 2048)
        _length(f"{at}.author.name", author.get("name"), 256)
        if len(fields) > 25:
            raise bad_form(f"{at}.fields", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
        for number, part in enumerate(fields):
            _length(f"{at}.fields.{number}.name", part.get("name"), 256, 1)
            _length(f"{at}.fields.{number}.value", part.get("value"), 1024, 1)
            total += _size(part["name"]) + _size(part["value"])
        texts = (
            embed.get("title"),
            embed.get("description"),
            footer.get("text"),
            author.get("name"),
        )
        total += sum(_size(text or "") for text in texts)
    if total > 6000:
        raise bad_form(
            "embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000"
        )


def walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield every component, however deep."""
    for component in components:
        yield component
        yield from walk(component.get("components") or [])
        for key in ("accessory", "component"):
            if component.get(key):
                yield from walk([component[key]])


def check_components(components: list[dict[str, Any]], *, v2: bool) -> None:
    """Refuse rows and components over Discord's limits, and custom ids used twice."""
    if not v2 and len(components) > 5:
        raise bad_form("components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.")
    if v2 and sum(1 for _ in walk(components)) > 40:
        raise bad_form(
            "components", "COMPONENT_MAX_TOTAL", "The maximum number of components is 40."
        )
    if not v2 and any(c.get("type") != ROW for c in components):
        raise bad_form(
            "components.0.type", "UNION_TYPE_CHOICES", "Value of field type must be one of (1,)."
        )
    seen: set[str] = set()
    for component in walk(components):
        kind = component.get("type")
        inside = component.get("components") or []
        if kind == ROW and not 1 <= len(inside) <= 5:
            raise bad_form(
                "components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length."
            )
        if kind == ROW and len(inside) > 1 and any(c.get("type") in SELECTS for c in inside):
            raise bad_form(
                "components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "A select takes a whole row."
            )
        if kind == BUTTON:
            _check_button(component)
        if kind in SELECTS:
            _check_select(component)
        custom_id = component.get("custom_id")
        if custom_id is not None:
            _length("custom_id", custom_id, 100, 1)
            if custom_id in seen:
                raise bad_form(
                    "components",
                    "COMPONENT_CUSTOM_ID_DUPLICATED",
                    "Component custom id cannot be duplicated",
                )
            seen.add(custom_id)


def _check_button(component: dict[str, Any]) -> None:
    """Refuse a button that shows nothing, or has not the one field that its style needs."""
    _length("label", component.get("label"), 80)
    _length("url", component.get("url"), 512)
    if not component.get("label") and not component.get("emoji"):
        raise bad_form(
            "components", "BUTTON_COMPONENT_INVALID_LABEL", "A button needs a label or an emoji."
        )
    wanted = "url" if component.get("style") == LINK_STYLE else "custom_id"
    if [name for name in ("custom_id", "url", "sku_id") if component.get(name)] != [wanted]:
        raise bad_form(
            "components", "BUTTON_COMPONENT_INVALID_STYLE", f"Such a button has a {wanted} only."
        )
    if wanted == "url" and not component["url"].startswith(("http://", "https://", "discord://")):
        raise bad_form("url", "URL_TYPE_INVALID_SCHEME", "Scheme must be http, https or discord.")


def _check_select(component: dict[str, Any]) -> None:
    _length("placeholder", component.get("placeholder"), 150)
    least, most = component.get("min_values", 1), component.get("max_values", 1)
    if not (0 <= least <= 25 and 1 <= most <= 25 and least <= most):
        raise bad_form("max_values", "NUMBER_TYPE_MAX", "Must be between min_values and 25.")
    defaults = component.get("default_values") or []
    if defaults and not least <= len(defaults) <= most:
        raise bad_form(
            "default_values", "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most}."
        )
    if component["type"] != STRING_SELECT:
        return
    options = component.get("options") or []
    if not 1 <= len(options) <= 25:
        raise bad_form("options", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 25 in length.")
    if most > len(options) or sum(bool(option.get("default")) for option in options) > most:
        raise bad_form("options", "SELECT_COMPONENT_OPTIONS_INVALID", "Fewer than max_values.")
    for option in options:
        _length("options.label", option.get("label"), 100, 1)
        _length("options.value", option.get("value"), 100, 1)
        _length("options.description", option.get("description"), 100)
    if len({option["value"] for option in options}) != len(options):
        raise bad_form(
            "options",
            "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
            "The specified option value is already used",
        )


def check_modal(data: dict[str, Any]) -> None:
    """Refuse a modal over Discord's limits."""
    _length("data.title", data.get("title"), 45, 1)
    _length("data.custom_id", data.get("custom_id"), 100, 1)
    components = data.get("components") or []
    if not 1 <= len(components) <= 5:
        raise bad_form(
            "data.components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length."
        )
    for component in walk(components):
        if component.get("type") not in IN_MODALS:
            raise bad_form(
                "data.components", "UNION_TYPE_CHOICES", f"Value must be one of {IN_MODALS}."
            )
        if component.get("type") == LABEL:
            _length("label", component.get("label"), 45, 1)
            _length("description", component.get("description"), 100)
            if component["component"].get("label"):
                raise bad_form("label", "COMPONENT_INVALID_LABEL", "Its label has one already.")
        if component.get("type") == TEXT_INPUT:
            _check_text_input(component)
        if component.get("type") in SELECTS:
            _check_select(component)


def _check_text_input(component: dict[str, Any]) -> None:
    least, most = component.get("min_length") or 0, component.get("max_length") or 4000
    if not (0 <= least <= 4000 and 1 <= most <= 4000 and least <= most):
        raise bad_form("max_length", "NUMBER_TYPE_MAX", "Must be between min_length and 4000.")
    _length("label", component.get("label"), 45)
    _length("placeholder", component.get("placeholder"), 100)
    _length("value", component.get("value"), most)


def check_choices(choices: list[dict[str, Any]]) -> None:
    """Refuse autocomplete choices over Discord's limits."""
    if len(choices) > 25:
        raise bad_form("data.choices", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
    for index, choice in enumerate(choices):
        _length(f"data.choices.{index}.name", choice.get("name"), 100, 1)
        if isinstance(choice.get("value"), str):
            _length(f"data.choices.{index}.value", choice["value"], 100, 1)


def check_command(command: dict[str, Any], index: int) -> None:
    """Refuse a command definition Discord would refuse."""
    name, kind = command.get("name", ""), command.get("type", 1)
    if kind != 1:
        _length(f"{index}.name", name, 32, 1)
        if command.get("description"):
            raise bad_form(
                f"{index}.description",
                "APPLICATION_COMMAND_INVALID_DESCRIPTION",
                "Context menus have none.",
            )
        return
    _check_name(f"{index}.name", name)
    _length(f"{index}.description", command.get("description") or "", 100, 1)
    _check_localisations(str(index), command)
    size = _check_options(f"{index}.options", command.get("options") or [])
    if size + _shown_size(command) > 8000:
        raise bad_form(
            str(index), "APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (8000)"
        )


def _check_name(field: str, name: str) -> None:
    if not COMMAND_NAME.match(name) or name != name.lower():
        raise bad_form(field, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _shown_size(described: dict[str, Any]) -> int:
    """Return what a name and a description count: the longest of their translations."""
    return sum(
        max(map(_size, (described.get(part) or "", *(described.get(translated) or {}).values())))
        for part, translated in (
            ("name", "name_localizations"),
            ("description", "description_localizations"),
        )
    )


def _check_choice(field: str, choice: dict[str, Any]) -> None:
    _length(f"{field}.name", choice.get("name"), 100, 1)
    for locale, name in (choice.get("name_localizations") or {}).items():
        _length(f"{field}.name_localizations.{locale}", name, 100, 1)
    if isinstance(choice.get("value"), str):
        _length(f"{field}.value", choice["value"], 100)


def _check_localisations(field: str, described: dict[str, Any]) -> None:
    for locale, name in (described.get("name_localizations") or {}).items():
        _check_name(f"{field}.name_localizations.{locale}", name)
    for locale, words in (described.get("description_localizations") or {}).items():
        _length(f"{field}.description_localizations.{locale}", words, 100, 1)


def _check_options(field: str, options: list[dict[str, Any]]) -> int:
    if len(options) > 25:
        raise bad_form(field, "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
    size, optional_seen, names = 0, False, set()
    for number, option in enumerate(options):
        at = f"{field}.{number}"
        _check_name(f"{at}.name", option.get("name", ""))
        _length(f"{at}.description", option.get("description") or "", 100, 1)
        _check_localisations(at, option)
        if option["name"] in names:
            raise bad_form(
                at, "APPLICATION_COMMAND_OPTIONS_NAME_INVALID", "Option names must be unique"
            )
        names.add(option["name"])
        if option.get("required") and optional_seen:
            raise bad_form(
                at,
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options must come first",
            )
        optional_seen = optional_seen or not option.get("required")
        choices = option.get("choices") or []
        if len(choices) > 25:
            raise bad_form(
                f"{at}.choices", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length."
            )
        size += _shown_size(option)
        for number_, choice in enumerate(choices):
            _check_choice(f"{at}.choices.{number_}", choice)
            size += _shown_size(choice) + _size(str(choice["value"]))
        if option.get("type") in (1, 2):
            optional_seen = False
            size += _check_options(f"{at}.options", option.get("options") or [])
    return size
