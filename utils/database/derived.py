"""What was made from messages and goes with them: summaries, open loops, what attachments say.

Called by whatever erases messages (erasing.py), before it does, in the same unit of work.
"""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Table, delete, select, update

from utils.database import artifacts, memories
from utils.database.engine import Session
from utils.database.tables import (
    episode,
    episode_member,
    episode_summary,
    memory_event,
    open_loop,
    shadow_recall,
)
from utils.model.memory import Member


def erase_of(
    session: Session, guild_id: int, message_ids: Sequence[int], *, keeps_attachments: bool = False
) -> None:
    """Erase what was made from these messages of a server, whoever wrote them.

    ``keeps_attachments``: the messages are about to be stored in other words (artifacts.store).
    """
    if not keeps_attachments:
        artifacts.erase_of(session, guild_id, message_ids)
    for some in memories.chunks(message_ids):
        _delete(session, open_loop, guild_id, open_loop.c.MessageId.in_(some))


def unsummarise(session: Session, guild_id: int, of_events: ColumnElement[bool]) -> None:
    """Erase every summary of the episodes that these of a server's events are in.

    They are written anew from the events that remain. The episodes are locked first: whoever is
    about to write a summary (chapters.py) comes before, and it is erased, or after, and sees that
    words are gone.
    """
    ids = session.scalars(
        select(memory_event.c.EpisodeId)
        .where(memory_event.c.GuildId == guild_id, of_events, memory_event.c.EpisodeId.is_not(None))
        .distinct()
    ).all()
    for some in memories.chunks(ids):
        session.execute(
            update(episode)
            .where(episode.c.GuildId == guild_id, episode.c.Id.in_(some))
            .values(SummarisedId=0)
        )
        _delete(session, episode_summary, guild_id, episode_summary.c.EpisodeId.in_(some))


def erase_member(session: Session, member: Member) -> None:
    """Erase what was made from a member's own words, wherever they stood, and what was recalled for
    them in the shadow; their words are erased by the caller."""
    for table in (open_loop, episode_member, shadow_recall):
        of_theirs = table.c.UserId == member.user_id
        _delete(session, table, member.guild_id, of_theirs)


def _delete(session: Session, table: Table, guild_id: int, where: ColumnElement[bool]) -> None:
    session.execute(delete(table).where(table.c.GuildId == guild_id, where))
