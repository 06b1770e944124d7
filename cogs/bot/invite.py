"""The link that invites Kith to a server, with the permissions it needs."""

import discord

INVITE = (
    "https://discord.com/oauth2/authorize?client_id={id}&scope=bot+applications.commands"
    "&permissions={permissions}"
)
PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    read_message_history=True,
    attach_files=True,
    embed_links=True,
    add_reactions=True,
)


def invite_link(application_id: int) -> str:
    """Return the link for an application."""
    return INVITE.format(id=application_id, permissions=PERMISSIONS.value)
