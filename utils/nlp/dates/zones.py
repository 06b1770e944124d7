"""Parse the time zones that people name: UTC+2, EST, Europe/Berlin, Tokyo time. Pure."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import ZoneInfo

from utils.common.clock import time_zones
from utils.nlp.dates.tokens import Token
from utils.nlp.dates.vocabulary import CLOCK
from utils.nlp.languages import shared_tables

__all__ = ["MINUS", "zone_at", "zone_named"]

MINUS = "\N{MINUS SIGN}"  # a hyphen inside a word is no token
MAX_OFFSET = timedelta(hours=14)
_MAX_NAME_TOKENS = 9  # America/North_Dakota/New_Salem
_MAX_CITY_WORDS = 3
_OFFSET = re.compile(r"([0-9]{1,2})(?::?([0-9]{2}))?")


def zone_named(name: str) -> tzinfo:
    """Return the time zone of a stored name, such as Europe/Berlin or UTC-05:00.

    Raises ValueError if it is unknown.
    """
    if name.startswith("UTC") and (match := _OFFSET.fullmatch(name[4:])):
        offset = _offset(match)
        return timezone(-offset if name[3] == "-" else offset)
    return ZoneInfo(name)


def zone_at(tokens: Sequence[Token], position: int) -> tuple[int, tzinfo | None] | None:
    """Return the position after a zone's name, and the zone; None if there is no name.

    A zone of None: the name has several meanings.
    """
    token, names = tokens[position], shared_tables().zones
    name = token.text.upper()
    if token.text in ("+", MINUS):
        return _with_offset(tokens, position, timedelta()) if token.is_glued else None
    if name in names.offsets and (name != "Z" or token.is_glued):
        base = timedelta(hours=int(names.offsets[name]))
        signed = _with_offset(tokens, position + 1, base) if name in ("UTC", "GMT") else None
        return signed or (position + 1, timezone(base) if base else UTC)
    before = tokens[position - 1].text if position else ""
    if name in names.regions and (before in ("am", "pm") or before[-1:].isdecimal()):
        return position + 1, ZoneInfo(names.regions[name])
    if name in names.ambiguous:
        return position + 1, None
    return _whole_name(tokens, position) or _city(tokens, position)


def _with_offset(
    tokens: Sequence[Token], position: int, base: timedelta
) -> tuple[int, tzinfo] | None:
    sign, *number = [token.text for token in tokens[position : position + 2]] or [""]
    match = _OFFSET.fullmatch(number[0]) if number and sign in ("+", MINUS) else None
    if match is None or _offset(match) > MAX_OFFSET:
        return None
    offset = base + _offset(match) if sign == "+" else base - _offset(match)
    return position + 2, timezone(offset) if offset else UTC


def _offset(match: re.Match[str]) -> timedelta:
    return timedelta(hours=int(match[1]), minutes=int(match[2] or 0))


def _whole_name(tokens: Sequence[Token], position: int) -> tuple[int, tzinfo] | None:
    """Parse Europe/Berlin, whose parts are tokens."""
    end, name = position + 1, tokens[position].text
    for token in tokens[end : position + _MAX_NAME_TOKENS]:
        if not token.is_glued:
            break
        end, name = end + 1, name + token.text
    full_name = _zone_names().get(name)
    return (end, ZoneInfo(full_name)) if full_name and "/" in full_name else None


def _city(tokens: Sequence[Token], position: int) -> tuple[int, tzinfo | None] | None:
    """Parse Tokyo time, New York time."""
    for end in range(position + 1, min(position + _MAX_CITY_WORDS + 1, len(tokens))):
        if tokens[end].text in CLOCK.zone_time:
            city = "_".join(token.text for token in tokens[position:end])
            zones = _cities().get(city)
            if zones is not None:
                return end + 1, ZoneInfo(zones[0]) if len(zones) == 1 else None
    return None


@cache
def _zone_names() -> Mapping[str, str]:
    """Return the names of all zones, casefolded and without hyphens -> as they are."""
    return {name.casefold().replace("-", ""): name for name in time_zones()}


@cache
def _cities() -> Mapping[str, list[str]]:
    """Return cities, casefolded -> the zones that end in their name."""
    cities: dict[str, list[str]] = {}
    for name in time_zones():
        area, _, city = name.rpartition("/")
        if area and area not in ("Etc", "US", "SystemV"):
            cities.setdefault(city.casefold(), []).append(name)
    return cities
