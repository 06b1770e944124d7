"""Why nothing was noted of a member's message, in a sentence."""

from dataclasses import dataclass

from utils.database.core.engine import Connection, DatabaseService, reads
from utils.database.guilds import settings
from utils.database.memories import members, note_marks
from utils.database.messages import events
from utils.database.privacy import tombstones
from utils.memory.extraction.receipts import NO_STATEMENT, SAFETY
from utils.memory.member_data.edit_rules import SENTENCES
from utils.memory.member_data.view import noted
from utils.memory.policy.write_policy import WriteRules
from utils.memory.safety.filter import refusal_reason
from utils.models.memory import Consent, EventState, Member

NOTED, UNREAD, FAILED, UNKNOWN, CHANNEL = "noted", "unread", "failed", "unknown", "channel"
RECEIPTS = {
    **SENTENCES,
    NOTED: "I did note something from it: *Apps → What did you note?* shows it.",
    UNREAD: (
        "I have not read it for my notes yet. That takes a minute, or longer while my language "
        "model is away or its tokens for today are spent."
    ),
    FAILED: "My language model could not read it for my notes.",
    CHANNEL: "The moderators chose that I never answer in that channel, so I store nothing of it.",
    UNKNOWN: (
        "I don't store that message. It was not said to me, you chose then that I store nothing, "
        "or its time is over."
    ),
    NO_STATEMENT: "I found nothing in it that you say about yourself.",
}


@dataclass(eq=False, repr=False)
class Receipts(DatabaseService):
    """Says why nothing was noted of a message."""

    _rules: WriteRules

    @reads
    def why_not(
        self, connection: Connection, member: Member, message_id: int, channel_id: int
    ) -> str:
        """Return the sentence for a message of a member, or for the answer to it.

        ``channel_id`` is where it was said. Raises DatabaseError.
        """
        return RECEIPTS.get(
            self._reason(connection, member, message_id, channel_id),
            "I found nothing in it that I could note about you for certain.",
        )

    def _reason(
        self, connection: Connection, member: Member, message_id: int, channel_id: int
    ) -> str:
        if noted(connection, member, message_id, self._clock.now()):
            return NOTED
        message_id = max(note_marks.noted_by(connection, member.guild_id, message_id)[1])
        row = events.load_receipt(connection, member, message_id)
        if row is None or not row.Text:
            if tombstones.is_buried(connection, member, message_id):
                return "forgotten"
            server = settings.load(connection, member.guild_id)
            for reason, applies in (
                (CHANNEL, server.never_answers(channel_id)),
                ("frozen", server.frozen),
                ("ignored", members.load_header(connection, member).ignored),
                ("consent", members.consent(connection, member) is Consent.OFF),
            ):
                if applies:
                    return reason
            return UNKNOWN
        if row.State in (EventState.PENDING, EventState.CLAIMED):
            return UNREAD
        if row.State is EventState.FAILED:
            return FAILED
        if row.Receipt == SAFETY:
            return refusal_reason(row.Text, self._rules.forbidden) or NO_STATEMENT
        return row.Receipt or NO_STATEMENT
