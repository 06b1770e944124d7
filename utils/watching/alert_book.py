"""Alerts as they are stored: incidents, their posts, and who did what; one door for the cogs."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from utils.clock import Clock
from utils.database import alert_acts, alerts, policies
from utils.database.engine import Database, Session
from utils.model.alerts import (
    NO_MEMBER,
    SAME_INCIDENT,
    UNDECIDED,
    Act,
    Action,
    Alert,
    AlertState,
    Recorded,
    Suggestion,
)
from utils.model.watch import ScoredBatch, WatchSettings
from utils.watching.alert_rules import TENSION, TOXICITY, belonging, suggest, triggers

RETRIED_AFTER = timedelta(minutes=5)
GIVEN_UP_AFTER = timedelta(minutes=1)  # an act that a stopped process began
POSTED_WITHIN = timedelta(days=1)
KEPT = timedelta(days=30)
CASES_KEPT = timedelta(days=90)  # after the last message
VERDICTS_OF = timedelta(days=30)
MOST_AT_ONCE = 50

DECISIONS = {
    Act.OPEN_CASE: (AlertState.CASE, (AlertState.OPEN,)),
    Act.CLOSE_CASE: (AlertState.CLOSED, (AlertState.CASE,)),
    Act.DISMISS: (AlertState.DISMISSED, UNDECIDED),
    Act.FALSE_ALARM: (AlertState.FALSE_ALARM, UNDECIDED),
}


class AlertBook:
    """Stores alerts, and lets each act on one happen once, whoever presses in which process."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    # --- incidents -----------------------------------------------------------------------------

    async def record(self, batch: ScoredBatch) -> Recorded | None:
        """Take a batch into the incident it belongs to; None where there is nothing to tell of.

        The same channel within an hour is the same incident, until a moderator decides on it.
        """

        if not belonging(batch, triggers(batch, None), None):
            return None  # as most batches, without a look at the database

        def unit(session: Session) -> Recorded | None:
            policies.lock(session, batch.guild_id)
            now = self._clock.now()
            here = (batch.guild_id, batch.place_id)
            seen_until = alerts.last_decided_at(session, *here)
            raised = triggers(batch, seen_until)
            messages = belonging(batch, raised, seen_until)
            alert_id = alerts.current(session, *here, since=now - SAME_INCIDENT)
            if not messages or (alert_id is None and not raised):
                return None
            is_new = alert_id is None
            if alert_id is None:
                alert_id = alerts.make(session, *here, raised[0], now)
            alerts.renew(session, alert_id, raised, now)
            alerts.add_messages(session, batch.guild_id, alert_id, messages)
            return Recorded(alert_id, is_new)

        return await self._database.write(unit)

    async def get(self, guild_id: int, alert_id: int) -> Alert | None:
        """Return an alert of a server, with its messages and what was done."""
        return await self._database.read(partial(alerts.load, guild_id=guild_id, alert_id=alert_id))

    async def cases(self, guild_id: int) -> list[Alert]:
        """Return a server's open cases, oldest first."""
        return await self._database.read(partial(alerts.cases, guild_id=guild_id))

    async def unposted(self, guild_ids: Sequence[int]) -> list[tuple[int, int]]:
        """Return the alerts (server, id) of the last day that stand in no log channel."""
        since = self._clock.now() - POSTED_WITHIN
        return await self._database.read(partial(alerts.unposted, guild_ids=guild_ids, since=since))

    async def suggestions(self, settings: WatchSettings) -> list[Suggestion]:
        """Return the thresholds that the last month's false alarms speak for."""
        since = self._clock.now() - VERDICTS_OF
        verdicts = await self._database.read(
            partial(alerts.verdicts, guild_id=settings.guild_id, since=since)
        )
        found = (
            suggest(verdicts, TENSION, settings.tension_alert),
            suggest(verdicts, TOXICITY, settings.toxicity_alert),
        )
        return [one for one in found if one is not None]

    # --- posts ---------------------------------------------------------------------------------

    async def may_post(self, alert: Alert) -> bool:
        """Whether it is this process's turn to post an alert; asked again, not for five minutes."""
        now = self._clock.now()
        return await self._database.write(
            partial(
                alerts.try_post, alert_id=alert.alert_id, now=now, not_since=now - RETRIED_AFTER
            )
        )

    async def note_post(self, alert: Alert, channel_id: int, post_id: int) -> None:
        """Store where an alert was posted, and what it shows."""

        def unit(session: Session) -> None:
            alerts.note_post(session, alert.alert_id, channel_id, post_id)
            alerts.note_shown(session, alert.alert_id, _shown(alert))

        await self._database.write(unit)

    async def note_shown(self, alert: Alert) -> None:
        """Store what an alert's post shows now."""
        await self._database.write(
            partial(alerts.note_shown, alert_id=alert.alert_id, shown=_shown(alert))
        )

    async def stale_posts(self, guild_ids: Sequence[int]) -> list[tuple[int, int]]:
        """Return alerts (server, id) whose post does not show what there is now."""
        return await self._database.read(
            partial(alerts.stale_posts, guild_ids=guild_ids, limit=MOST_AT_ONCE)
        )

    async def expired(self) -> list[tuple[int, int]]:
        """Return alerts (server, id) whose time is over: 30 days, for a case 90."""
        now = self._clock.now()
        return await self._database.read(
            partial(
                alerts.expired, before=now - KEPT, cases_before=now - CASES_KEPT, limit=MOST_AT_ONCE
            )
        )

    async def erase(self, guild_id: int, alert_id: int) -> None:
        """Delete an alert; the record of what was done stays for its own time."""
        await self._database.write(partial(alerts.erase, guild_id=guild_id, alert_ids=[alert_id]))

    # --- acts ----------------------------------------------------------------------------------

    async def claim(self, alert: Alert, act: Act, user_id: int, actor_id: int, amount: int) -> bool:
        """Whether an act on a member (0: on the channel) is the caller's to carry out, once.

        Follow it with :meth:`finish` or :meth:`release`.
        """
        action = Action(act, user_id, actor_id, self._clock.now(), amount, is_done=False)
        return await self._database.write(self._claiming(alert, action))

    async def record_act(self, alert: Alert, act: Act, user_id: int, amount: int) -> bool:
        """Note something that Kith itself did or would have done; False if it is noted already."""
        action = Action(act, user_id, 0, self._clock.now(), amount)
        return await self._database.write(self._claiming(alert, action))

    async def finish(self, alert: Alert, act: Act, user_id: int) -> None:
        """Note that a claimed act was carried out."""
        await self._database.write(
            partial(
                alert_acts.finish,
                guild_id=alert.guild_id,
                alert_id=alert.alert_id,
                action=_named(act, user_id, self._clock.now()),
            )
        )

    async def release(self, alert: Alert, act: Act, user_id: int) -> None:
        """Let a claimed act that could not be carried out be tried again."""
        await self._database.write(
            partial(
                alert_acts.release,
                guild_id=alert.guild_id,
                alert_id=alert.alert_id,
                action=_named(act, user_id, self._clock.now()),
            )
        )

    async def decide(self, alert: Alert, act: Act, actor_id: int) -> bool:
        """Open or close a case, dismiss, or call it a false alarm; False if somebody was first."""
        state, before = DECISIONS[act]
        action = replace(_named(act, NO_MEMBER, self._clock.now()), actor_id=actor_id)
        return await self._database.write(
            partial(
                alert_acts.decide,
                guild_id=alert.guild_id,
                alert_id=alert.alert_id,
                state=state,
                action=action,
                before=before,
            )
        )

    async def close_deleted(self, alert: Alert) -> None:
        """Take it as a dismissal that somebody deleted an alert's post."""
        await self.decide(alert, Act.DISMISS, 0)

    def _claiming(self, alert: Alert, action: Action) -> partial[bool]:
        given_up = action.at - GIVEN_UP_AFTER
        return partial(
            alert_acts.claim,
            guild_id=alert.guild_id,
            alert_id=alert.alert_id,
            action=action,
            given_up=given_up,
        )


def _named(act: Act, user_id: int, now: datetime) -> Action:
    return Action(act, user_id, 0, now)


def _shown(alert: Alert) -> int:
    return len(alert.messages) + len(alert.actions)
