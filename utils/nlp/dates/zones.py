"""Parse the time zones that people name: UTC+2, EST, Europe/Berlin, Tokyo time. Pure."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import ZoneInfo

from utils.common.clock import time_zones
from utils.common.grouping import grouped
from utils.nlp.dates.tokens import WordPositions
from utils.nlp.dates.vocabulary import CLOCK
from utils.nlp.languages import shared_tables

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


def zone_at(words: WordPositions, position: int) -> tuple[int, tzinfo | None] | None:
    """Return the position after a zone's name, and the zone; None if there is no name.

    A zone of None: the name has several meanings.
    """
    word, is_glued, names = words[position], words.at(position).is_glued, shared_tables().zones
    if word in ("+", MINUS):
        return _with_offset(words, position, timedelta()) if is_glued else None
    name, before = word.upper(), words[position - 1]
    if name in names.offsets and (name != "Z" or is_glued):
        base = timedelta(hours=names.offsets[name])
        signed = _with_offset(words, position + 1, base) if name in ("UTC", "GMT") else None
        return signed or (position + 1, _fixed(base))
    if name in names.regions and (before in ("am", "pm") or before[-1:].isdecimal()):
        return position + 1, ZoneInfo(names.regions[name])
    if name in names.ambiguous:
        return position + 1, None
    return _whole_name(words, position) or _city(words, position)


def _with_offset(words: WordPositions, position: int, base: timedelta) -> tuple[int, tzinfo] | None:
    sign, match = words[position], _OFFSET.fullmatch(words[position + 1])
    if match is None or sign not in ("+", MINUS) or _offset(match) > MAX_OFFSET:
        return None
    return position + 2, _fixed(base + _offset(match) * (1 if sign == "+" else -1))


def _offset(match: re.Match[str]) -> timedelta:
    return timedelta(hours=int(match[1]), minutes=int(match[2] or 0))


def _fixed(offset: timedelta) -> tzinfo:
    return timezone(offset) if offset else UTC


def _whole_name(words: WordPositions, position: int) -> tuple[int, tzinfo] | None:
    """Parse Europe/Berlin, whose parts are tokens."""
    end = position + 1
    while words.at(end).is_glued and end < position + _MAX_NAME_TOKENS:
        end += 1
    name = _zone_names().get("".join(words.between(position, end)), "")
    return (end, ZoneInfo(name)) if "/" in name else None


def _city(words: WordPositions, position: int) -> tuple[int, tzinfo | None] | None:
    """Parse Tokyo time, New York time."""
    for end in range(position + 1, position + _MAX_CITY_WORDS + 1):
        zones = _cities().get("_".join(words.between(position, end)))
        if words[end] in CLOCK.zone_time and zones is not None:
            return end + 1, ZoneInfo(zones[0]) if len(zones) == 1 else None
    return None


@cache
def _zone_names() -> Mapping[str, str]:
    """Return the names of all zones, casefolded and without hyphens -> as they are."""
    return {name.casefold().replace("-", ""): name for name in time_zones()}


@cache
def _cities() -> Mapping[str, Sequence[str]]:
    """Return cities, casefolded -> the zones that end in their name."""
    parts = ((name.rpartition("/"), name) for name in time_zones())
    return grouped(
        (city.casefold(), name)
        for (area, _, city), name in parts
        if area and area not in ("Etc", "US", "SystemV")
    )
