"""What the editors of policies and settings share."""

from collections.abc import Mapping
from dataclasses import dataclass

from cogs.dashboard.pages.layout import number
from cogs.settings.settings_text import HEADINGS
from utils.common.errors import BadInput
from utils.common.text import clean
from utils.models.guild import (
    CONSENT,
    NOTED,
    OWN_MODE_TEXT,
    OWN_MODES,
    POLICY,
    SPEAKING,
    WATCHED,
)

SETTING_LABELS = {
    "mode": "Personality",
    "channel_modes": "Channels with a mode of their own",
    "models": "Model",
    "time_zone": "Time zone",
    "base_role_id": "Base role",
    "implied_role_ids": "Roles that imply it",
    "talk_role_ids": "Answers members with",
    CONSENT: "Consent by default",
    "lore": "Shared stories",
    NOTED: "What was noted is marked by",
    "shows_sources": "Answers say where they come from",
    POLICY: "Write policy",
    "frozen": "Frozen",
    "moderators_see_members": "Moderators see members' memories",
    "tool_servers": "Tools of other services",
    WATCHED: "Watched channels",
    SPEAKING: "Speaks first in",
    OWN_MODES: "Modes of this server's own",
    OWN_MODE_TEXT: "Text of the server's own mode",
    "tension_alert": "Alert from this tension",
    "toxicity_alert": "Alert from this toxicity of a message",
    "half_life_hours": "Hours in which tension falls by half",
    "prefilter": "Filter before the model reads",
    "ping_role_id": "Pinged by a new alert",
    "auto_timeout": "Automatic time-outs",
    "auto_dry_run": "Automatic time-outs only as a dry run",
    "auto_toxicity": "Automatic time-out from this toxicity",
    "auto_minutes": "Minutes of an automatic time-out",
    **{purpose.value: heading for purpose, heading in HEADINGS.items()},
}
"""Names of a server's settings, in English."""


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A changed field: its label, its values and, where it has one, its path in the policy."""

    label: str
    before: str
    after: str
    path: str = ""


def base_version_of(typed: Mapping[str, str]) -> int:
    """Return the version that a form was made from. Raises BadInput if it is missing."""
    version = number(typed.get("base_version"), "A version")
    if version is None:
        raise BadInput("Open the form again: it does not say which version it changes.")
    return version


def check_reason(reason: str) -> str:
    """Return a reason. Raises BadInput if it is empty."""
    if not clean(reason):  # as it is stored
        raise BadInput("Say in a few words why. The list of versions shows it.")
    return reason


def normalized(typed: str) -> object:
    """Return a form value for comparison: 0.90 equals 0.9. Pure."""
    try:
        return float(typed)
    except ValueError:
        return typed.strip()
