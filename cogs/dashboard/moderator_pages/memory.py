"""How long Kith remembers, what it may learn, and what it knows of the server itself."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.moderator_pages.forms import (
    NEVER_ANSWERS,
    POST_KINDS,
    Field,
    Section,
    Typed,
    channel_field,
    channel_in,
    check_unchanged,
    page_of,
    saved,
    seen,
    text_of,
)
from cogs.dashboard.moderator_pages.visit import InVisit
from cogs.dashboard.pages.editing import base_version_of
from cogs.dashboard.pages.layout import PathId, choices, go_to
from cogs.dashboard.pages.write_policy import (
    KIND_LISTS,
    LABELS,
    MAXIMA,
    MODES,
    form_values,
    parse_form,
)
from cogs.dashboard.web.context import DashboardContext, InContext, Moderator
from cogs.dashboard.web.language import tr
from cogs.dashboard.web.visits import MODERATORS
from cogs.settings.settings_text import CONSENT_DEFAULTS
from utils.common.errors import BadInput, NotFound
from utils.models.guild import GuildSettings, with_value, with_values
from utils.models.memory import SERVER_USER_ID, Consent, Kind, Member, Memory

router = APIRouter(prefix=MODERATORS.home)

PAGE = "memory"
YES_NO = (("on", "yes"), ("off", "no"))
SWITCHES = {
    "lore": "Note shared stories, and use them for the tone",
    "moderators_see_members": "Let moderators look at a member's memory; the member sees who did",
    "frozen": "Freeze: store and learn nothing",
}
COUNTS = ("writes_per_session", "writes_per_hour", "cap")


@router.get("/memory")
async def memory(request: Request, context: InContext, moderator: InVisit) -> Response:
    """Show the settings of memory, and what is known of the server itself."""
    guild_id, service = moderator.guild_id, context.app.guilds.settings
    settings, policy = await service.latest(guild_id), await service.policy(guild_id)
    yes_no = [(value, tr(word)) for value, word in YES_NO]
    maxima = MAXIMA | {"cap": context.app.settings.memory_cap}
    sections = [
        Section(
            "memory/consent",
            "How long Kith remembers those who have not chosen",
            [
                Field(
                    "select",
                    "choice",
                    "They are remembered",
                    settings.consent_default.value,
                    [
                        (choice.value, tr(CONSENT_DEFAULTS[choice]))
                        for choice in (Consent.TEMPORARY, Consent.LASTING)
                    ],
                ),
                channel_field(
                    moderator,
                    "Announced in",
                    "A longer time only in a channel that everyone can read.",
                    POST_KINDS,
                ),
            ],
            "Everybody's own choice always wins. A change is announced and cannot be taken back "
            "from the log.",
        ),
        Section(
            "memory/switches",
            "What Kith notes and shows",
            [
                seen(_switches(settings)),
                *(
                    Field("select", name, label, "on" if is_on else "off", yes_no)
                    for (name, label), is_on in zip(
                        SWITCHES.items(), _switches(settings), strict=True
                    )
                ),
            ],
        ),
        Section(
            "memory/policy",
            "What Kith may learn",
            [
                Field("hidden", "base_version", "", settings.policy_version),
                Field(
                    "select",
                    "mode",
                    LABELS["mode"],
                    policy.mode.value,
                    [(mode.value, tr(words)) for mode, words in MODES],
                ),
                *(
                    Field(
                        "checks",
                        name,
                        LABELS[name],
                        [kind.value for kind in getattr(policy, name)],
                        choices(Kind),
                    )
                    for name in KIND_LISTS
                ),
                *(
                    Field(
                        "number",
                        name,
                        LABELS[name],
                        getattr(policy, name),
                        limits=(1, maxima[name]),
                    )
                    for name in COUNTS
                ),
                Field("text", "reason", "Why", limits=(0, 200)),
            ],
            "`/mod policy` has the thresholds and the lifetimes, and shows earlier versions.",
        ),
        *(
            Section(
                f"memory/server/{row.id}/forget",
                "Memory of the server",
                text=row.text,
                buttons=[("forget", "Forget", "danger")],
            )
            for row in await _own(context, moderator)
        ),
    ]
    lead = "What members said stays theirs: no memory of a member is shown here."
    return page_of(request, "Memory", lead, sections)


@router.post("/memory/consent")
async def choose_consent(context: InContext, moderator: InVisit, form: Typed) -> Response:
    """Announce and set the default consent. Raises BadInput where it cannot be announced."""
    guild_id, service = moderator.guild_id, context.app.guilds.settings
    choice = Consent(text_of(form, "choice")) if text_of(form, "choice") in set(Consent) else None
    settings = await service.latest(guild_id)
    if choice is settings.consent_default:
        return go_to(f"/mod/{PAGE}?done=same")
    channel_id = channel_in(form, "channel", moderator, POST_KINDS)
    if channel_id is None or choice not in (Consent.TEMPORARY, Consent.LASTING):
        raise BadInput("Choose the channel in which Kith announces it.")
    if settings.never_answers(channel_id):
        raise BadInput(NEVER_ANSWERS)
    await context.discord.announce_consent(
        with_value(settings, "consent_default", choice.value), channel_id
    )
    await service.set_values(guild_id, consent_default=choice, actor_id=moderator.member.user_id)
    if choice is Consent.TEMPORARY:
        await context.app.admin.job_runs.retention.apply_temporary_default(guild_id)
    return saved(PAGE)


@router.post("/memory/switches")
async def switch(context: InContext, moderator: InVisit, form: Typed) -> Response:
    """Change what is noted and shown."""
    chosen = {name: text_of(form, name) == "on" for name in SWITCHES if name in form}

    def change(settings: GuildSettings) -> GuildSettings:
        check_unchanged(form, _switches(settings))
        return with_values(settings, chosen)

    await context.app.guilds.settings.update(moderator.guild_id, change, moderator.member.user_id)
    return saved(PAGE)


def _switches(settings: GuildSettings) -> list[bool]:
    """Return which of SWITCHES are on. Pure."""
    return [getattr(settings, name) for name in SWITCHES]


@router.post("/memory/policy")
async def choose_policy(context: InContext, moderator: InVisit, form: Typed) -> Response:
    """Change what may be learnt. Raises BadInput for a value that is impossible."""
    guild_id, service = moderator.guild_id, context.app.guilds.settings
    kinds = {name: ", ".join(map(str, form.getlist(name))) for name in KIND_LISTS}
    fields = {name: text_of(form, name) for name in ("mode", *COUNTS)}
    await service.set_policy(
        guild_id,
        parse_form(form_values(await service.policy(guild_id)) | kinds | fields),
        actor_id=moderator.member.user_id,
        reason=text_of(form, "reason"),
        only=base_version_of({"base_version": text_of(form, "base_version")}),
    )
    return saved(PAGE)


@router.post("/memory/server/{memory_id}/forget")
async def forget(memory_id: PathId, context: InContext, moderator: InVisit) -> Response:
    """Forget something that is known of the server. Raises NotFound if the moderator sees none."""
    guild_id, user_id = moderator.guild_id, moderator.member.user_id
    if memory_id not in {row.id for row in await _own(context, moderator)}:
        raise NotFound("This memory of the server is gone already.")
    await context.app.memory.editor.forget_of_server(guild_id, memory_id, actor_id=user_id)
    return go_to(f"/mod/{PAGE}?done=forgotten")


async def _own(context: DashboardContext, moderator: Moderator) -> list[Memory]:
    """Return what is known of the server itself and was said where the moderator can read."""
    server = Member(moderator.guild_id, SERVER_USER_ID)
    rows = (await context.app.memory.member_data.show(server, for_others=True)).rows
    return [row for row in rows if row.channel_id in moderator.readable]
