"""Explain what a message would recall, for the recall page and the API."""

import re

from cogs.chat.turns import MAX_PEOPLE
from cogs.dashboard.web.context import DashboardContext
from utils.models.admin import MAX_ID, RecallExplanation
from utils.models.memory import SERVER_USER_ID, Member
from utils.models.recall import Person

MENTION = re.compile(r"<@!?([0-9]{1,19})>")


async def explain_recall(
    context: DashboardContext, guild_id: int, channel_id: int, user_id: int, text: str, name: str
) -> RecallExplanation:
    """Return what the message of a member in a channel would recall, and why.

    As in an answer, it includes memories of people that the message mentions or names. The view
    is recorded in the audit of every member whose memories were read. Raises BadInput.

    Args:
        name: the member's display name.
    """
    audience = await context.discord.audience(guild_id, channel_id, user_id)
    names = {channel.id: channel.name for channel in context.discord.channels(guild_id)}
    mentioned = {
        person_id: context.discord.name_of(guild_id, person_id) or str(person_id)
        for person_id in map(int, MENTION.findall(text))
        if SERVER_USER_ID < person_id <= MAX_ID
    }
    text = MENTION.sub(lambda mention: f"@{mentioned.get(int(mention[1]), mention[1])}", text)
    named = await context.app.guilds.members.named(
        guild_id, channel_id, text, exclude_ids={user_id, *mentioned}
    )
    people = [
        Person(person_id, display_name)
        for person_id, display_name in mentioned.items()
        if person_id != user_id
    ]
    explanation = await context.app.admin.explainer.explain(
        guild_id,
        channel_id,
        user_id,
        text,
        audience,
        name=name,
        mentioned=[*people, *named][: MAX_PEOPLE - 1],
        channel_name=names.get(channel_id, ""),
    )
    await context.app.admin.browser.record_view(
        *(Member(guild_id, member_id) for member_id in explanation.about_ids)
    )
    return explanation
