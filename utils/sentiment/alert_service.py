"""Stored alerts: incidents, their posts in the log channel, and moderators' actions."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from utils.database.core.engine import Connection, Database, DatabaseService, as_method
from utils.database.memories import members, write_policies
from utils.database.sentiment import alert_actions, alerts, tension
from utils.memory.privacy.pruning import check_clock
from utils.models.alert import (
    INCIDENT_WINDOW,
    NO_MEMBER,
    UNDECIDED,
    ActionKind,
    Alert,
    AlertAction,
    AlertState,
    SlowModeEnd,
    ThresholdSuggestion,
)
from utils.models.sentiment import CASE_DAYS_KEPT, DAYS_KEPT, ScoredBatch, WatchSettings
from utils.sentiment.alert_rules import TENSION, TOXICITY, alert_crossings, alert_messages, suggest

POST_RETRY_AFTER = timedelta(minutes=5)
ABANDONED_AFTER = timedelta(minutes=1)  # a claim of a process that has stopped
POST_WITHIN = timedelta(days=1)
RETENTION = timedelta(days=DAYS_KEPT)
CASE_RETENTION = timedelta(days=CASE_DAYS_KEPT)

# The new state of each decision, and the states from which it is possible.
DECISIONS = {
    ActionKind.OPEN_CASE: (AlertState.CASE, (AlertState.OPEN,)),
    ActionKind.CLOSE_CASE: (AlertState.CLOSED, (AlertState.CASE,)),
    ActionKind.DISMISS: (AlertState.DISMISSED, UNDECIDED),
    ActionKind.FALSE_ALARM: (AlertState.FALSE_ALARM, UNDECIDED),
}


class AlertService(DatabaseService):
    """Stores alerts and makes sure that each action on one happens once, across processes."""

    # --- incidents -----------------------------------------------------------------------------

    async def record(self, scored_batch: ScoredBatch) -> tuple[int, bool] | None:
        """Add a batch to its alert, or to a new one; None if it raises none and belongs to none.

        Returns the alert's id, and whether the batch created it.

        Batches of a channel within an hour share an alert, until a moderator decides on it. What
        was erased since the batch was scored is in no alert.
        """

        if not alert_messages(scored_batch, alert_crossings(scored_batch, None), None):
            return None  # most batches end here, without a database query

        def unit(connection: Connection) -> tuple[int, bool] | None:
            write_policies.lock(connection, scored_batch.guild_id)
            authors = {scored.message.author_id for scored in scored_batch.messages}
            members.lock_authors(connection, scored_batch.guild_id, authors)
            message_ids = [scored.message.message_id for scored in scored_batch.messages]
            stored = tension.scores(connection, scored_batch.guild_id, message_ids)
            stored_ids = {score.message_id for score in stored}  # others were erased since
            batch = replace(
                scored_batch,
                messages=tuple(
                    scored
                    for scored in scored_batch.messages
                    if scored.message.message_id in stored_ids
                ),
                crossings=tuple(
                    crossing
                    for crossing in scored_batch.crossings
                    if crossing.message_id in stored_ids
                ),
            )
            now = self._clock.now()
            channel = (batch.guild_id, batch.place_id)
            decided_until = alerts.last_decided_at(connection, *channel)
            raised = alert_crossings(batch, decided_until)
            messages = alert_messages(batch, raised, decided_until)
            alert_id = alerts.undecided_alert_id(connection, *channel, since=now - INCIDENT_WINDOW)
            if not messages or (alert_id is None and not raised):
                return None
            added = alerts.add_batch(connection, *channel, alert_id, raised, messages, now)
            return added, alert_id is None

        return await self._database.write(unit)

    get = as_method(Database.read, alerts.load)
    open_cases = as_method(Database.read, alerts.open_cases)

    newest = as_method(Database.read, alerts.newest)

    async def unposted(self, guild_ids: Sequence[int]) -> list[tuple[int, int]]:
        """Return the alerts (server, id) of the last day that have no post."""
        return await self._database.read(
            alerts.unposted, guild_ids=guild_ids, since=self._clock.now() - POST_WITHIN
        )

    async def suggestions(self, settings: WatchSettings) -> list[ThresholdSuggestion]:
        """Return higher thresholds that would have avoided the last month's false alarms."""
        outcomes = await self._database.read(
            alerts.outcomes, guild_id=settings.guild_id, since=self._clock.now() - RETENTION
        )
        candidates = (
            suggest(outcomes, TENSION, settings.tension_alert),
            suggest(outcomes, TOXICITY, settings.toxicity_alert),
        )
        return [suggestion for suggestion in candidates if suggestion is not None]

    # --- posts ---------------------------------------------------------------------------------

    async def claim_post(self, alert: Alert) -> bool:
        """Claim the posting of an alert.

        Returns False if it is posted, or claimed within the last five minutes.
        """
        now = self._clock.now()
        return await self._database.write(
            alerts.claim_post, alert_id=alert.alert_id, now=now, retry_before=now - POST_RETRY_AFTER
        )

    release_post = as_method(Database.write, alerts.release_post)
    save_post = as_method(Database.write, alerts.save_post)
    stale_posts = as_method(Database.read, alerts.stale_posts)

    async def expired(self) -> list[tuple[int, int]]:
        """Return expired alerts (server, id): after 30 days, cases after 90.

        Raises ClockJumped if they may be expired only by a wrong clock.
        """
        now = self._clock.now()
        expired = await self._database.read(
            alerts.expired, before=now - RETENTION, cases_before=now - CASE_RETENTION
        )
        if expired:
            await check_clock(self._database, now)
        return expired

    erase = as_method(Database.write, alerts.erase)

    # --- actions -------------------------------------------------------------------------------

    async def claim(
        self,
        alert: Alert,
        kind: ActionKind,
        user_id: int,
        actor_id: int,
        amount: int,
        *,
        at: datetime | None = None,
        is_done: bool = False,
    ) -> bool:
        """Claim an action on a member (0: on the channel); True for only one caller.

        Follow it with :meth:`finish` or :meth:`release`, unless it ``is_done``, as a dry run is.
        Of END_SLOW_MODE, ``user_id`` is the channel, ``at`` when slow mode ends, and ``amount`` the
        seconds that it goes back to.
        """
        at = at or self._clock.now()
        return await self._database.write(
            alert_actions.claim,
            guild_id=alert.guild_id,
            alert_id=alert.alert_id,
            action=AlertAction(kind, user_id, actor_id, at, amount, is_done),
            abandoned_before=at - ABANDONED_AFTER,
        )

    finish = as_method(Database.write, alert_actions.finish)
    release = as_method(Database.write, alert_actions.release)

    async def slow_modes_over(self, guild_ids: Sequence[int]) -> list[SlowModeEnd]:
        """Return the ends of slow mode that are due in these servers."""
        return await self._database.read(
            alert_actions.slow_modes_over, guild_ids=guild_ids, now=self._clock.now()
        )

    async def decide(self, alert: Alert, kind: ActionKind, actor_id: int) -> bool:
        """Open or close a case, dismiss, or mark as false alarm; False if another was faster."""
        state, from_states = DECISIONS[kind]
        return await self._database.write(
            alert_actions.decide,
            guild_id=alert.guild_id,
            alert_id=alert.alert_id,
            state=state,
            action=AlertAction(kind, NO_MEMBER, actor_id, self._clock.now()),
            from_states=from_states,
        )
