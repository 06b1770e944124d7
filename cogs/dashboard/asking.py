"""What recall would make of a message, asked by the page and by the API alike."""

import re

from cogs.chat import MOST_PEOPLE
from cogs.dashboard.house import House
from utils.model.browsing import LARGEST_ID, Explained
from utils.model.memory import SERVER_ITSELF, Member
from utils.model.recall import Person

MENTION = re.compile(r"<@!?([0-9]{1,19})>")


async def explained(
    house: House, guild_id: int, channel_id: int, user_id: int, text: str, name: str
) -> Explained:
    """Return what would be recalled if a member, who is called that, wrote this there, and why.

    As in an answer, whom the message mentions or names is recalled too. Everybody of whom
    something was looked through sees in their audit that the operator did. Raises BadInput.
    """
    audience = await house.discord.audience(guild_id, channel_id, user_id)
    names = {one.id: one.name for one in house.discord.channels(guild_id)}
    mentioned = _mentioned(house, guild_id, text)
    text = MENTION.sub(lambda found: f"@{mentioned.get(int(found[1]), found[1])}", text)
    named = await house.core.acquaintances.named(
        guild_id, channel_id, text, but={user_id, *mentioned}
    )
    others = [Person(one, called) for one, called in mentioned.items() if one != user_id]
    found = await house.core.browser.explain(
        guild_id,
        channel_id,
        user_id,
        text,
        audience,
        name=name,
        others=[*others, *named][: MOST_PEOPLE - 1],
        channel_name=names.get(channel_id, ""),
    )
    await house.core.browser.note_view(*(Member(guild_id, one) for one in found.about_ids))
    return found


def _mentioned(house: House, guild_id: int, text: str) -> dict[int, str]:
    """Return whom a message mentions as Discord writes that, and what they are called."""
    ids = [int(one) for one in MENTION.findall(text)]
    return {
        one: house.discord.name_of(guild_id, one) or str(one)
        for one in ids
        if SERVER_ITSELF < one <= LARGEST_ID
    }
