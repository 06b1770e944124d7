"""Link two accounts of one person in a server; both accounts have to confirm.

Nothing is merged: recall reads both accounts, and each keeps its own consent and memories.
"""

from datetime import timedelta

from utils.common.errors import BadInput
from utils.database.core.engine import Connection, DatabaseService, writes
from utils.database.guilds import account_links
from utils.database.memories import members
from utils.database.privacy import erasure_ledger
from utils.models.memory import Consent, Member
from utils.models.operator import Erasure, ErasureKind
from utils.models.transfer import LinkedAccount

CONFIRM_WITHIN = timedelta(days=1)


class AccountLinkService(DatabaseService):
    """Links and unlinks accounts; each change is one unit of work."""

    @writes
    def link(self, connection: Connection, member: Member, other_id: int) -> bool:
        """Store a member's claim to another account; return whether the two are linked now.

        They are linked once each account has claimed the other within a day. Raises BadInput if
        the member's consent is off, or if they are linked to another account already. The other
        account's consent does not change the result, so it cannot be found out.
        """
        now = self._clock.now()
        members.lock_existing(connection, member.guild_id, {member.user_id, other_id})
        members.lock(connection, member)
        if members.effective_consent(connection, member) is Consent.OFF:
            raise BadInput(
                "I store nothing of this account here, so I can't link it with another; "
                "`/memory consent` changes what you chose."
            )
        named = account_links.load_claim(connection, member)
        if named == LinkedAccount(other_id, is_confirmed=True):
            return True
        if named is not None and named.is_confirmed:
            raise BadInput(
                "This account is linked with another one already; `/kith unlink` ends that first."
            )
        return account_links.claim(connection, member, other_id, now, now - CONFIRM_WITHIN)

    @writes
    def unlink(self, connection: Connection, member: Member) -> bool:
        """End a member's link and delete their claim; return False if there was neither."""
        now = self._clock.now()
        members.lock(connection, member)
        is_ended = account_links.unlink(connection, member)
        if is_ended:
            erasure_ledger.record(
                connection, Erasure(now, ErasureKind.UNLINKED, member.guild_id, member.user_id)
            )
        return is_ended
