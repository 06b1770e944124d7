"""Erase what watching stored of deleted messages, and record it in the ledger."""

from collections.abc import Sequence
from datetime import datetime

from utils.database.core.engine import Connection
from utils.database.privacy import erasure_ledger
from utils.database.sentiment import tension as scores
from utils.database.sentiment import waiting_messages
from utils.models.operator import Erasure, ErasureKind


def erase_messages(
    connection: Connection, guild_id: int, message_ids: Sequence[int], now: datetime
) -> None:
    """Delete messages from the queue, and the scores of those already analysed.

    Only deleted scores enter the erasure ledger: backups never restore waiting messages.
    """
    waiting_messages.delete_messages(connection, guild_id, message_ids)
    for score in scores.scores(connection, guild_id, message_ids):
        erasure = Erasure(
            now, ErasureKind.MESSAGE, guild_id, score.user_id, message_id=score.message_id
        )
        erasure_ledger.record(connection, erasure)
    scores.delete_scores(connection, guild_id, message_ids)
