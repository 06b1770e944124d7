"""Play four weeks of the made-up community through Kith's own services, on a moved clock."""

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from cogs.console.ids import GUILD_ID, answer_event, snowflake
from cogs.demo.community import Command, Community, Deed, Moment, Place, Scene
from utils.app import App
from utils.common.clock import Clock
from utils.common.progress import Progress
from utils.models.admin import MemoryFilter
from utils.models.alert import NO_MEMBER, ActionKind
from utils.models.conversation import Turn
from utils.models.guild import Purpose
from utils.models.memory import Event, Role
from utils.models.recall import Person
from utils.models.sentiment import PassiveMemory, ScoredBatch
from utils.models.transfer import Statement
from utils.runtime.metrics import MODEL
from utils.sentiment.alert_service import DECISIONS

BETWEEN_MESSAGES = timedelta(seconds=50)
BEFORE_REPLY = timedelta(seconds=4)
TENSION_ALERT = 0.3  # a small server with few messages: the default would hardly be reached
LIFETIME_OF_A_SCENE = timedelta(hours=9)  # then its episode is closed and summarised


class CommunityBuilder:
    """Plays the script; ``app`` is started, has the scripted model, and its clock is ``clock``."""

    def __init__(self, app: App, clock: Clock, community: Community, now: datetime) -> None:
        self._app = app
        self._clock = clock
        self._community = community
        self._now = now
        self._members = {person.name: person.member for person in community.members}
        self._alert_id: int | None = None

    async def build(self, progress: Progress) -> None:
        """Play everything up to now, and show how far it is."""
        script = self._community
        moments: list[Moment] = [*script.scene, *script.command]
        moments.sort(key=self._when)
        self._clock.shift(self._when(moments[0]) - timedelta(hours=1) - self._clock.now())
        await self._set_up_server()
        progress.begin("Playing", len(moments), "scenes")
        for count, moment in enumerate(moments):
            progress.reach(count)
            self._move_to(self._when(moment))
            if isinstance(moment, Scene):
                await self._play(moment)
            elif isinstance(moment, Command):
                await self._carry_out(moment)
        self._move_to(self._now)
        await self._finish()

    def _when(self, moment: Moment) -> datetime:
        return moment.when(self._now, ZoneInfo(self._community.time_zone))

    def _move_to(self, time: datetime) -> None:
        """Set the clock forward, but never past the present."""
        self._clock.shift(max(timedelta(), min(time, self._now) - self._clock.now()))

    # --- the server ----------------------------------------------------------------------------

    async def _set_up_server(self) -> None:
        """Choose the server's settings, its channels and its members' consent."""
        app, script = self._app, self._community
        settings = app.guilds.settings
        await settings.set_values(GUILD_ID, time_zone=script.time_zone, lore=True)
        await settings.set_values(GUILD_ID, consent_default=script.consent_default)
        await app.sentiment.channels.change(GUILD_ID, tension_alert=TENSION_ALERT)
        for place in script.channels:
            if place.is_watched:
                await app.sentiment.channels.add(GUILD_ID, place.id, PassiveMemory.OPT_IN)
            else:
                purpose = Purpose.LOG if place.is_private else Purpose.CHAT
                await settings.add_channel(GUILD_ID, place.id, purpose)
        for person in script.members:
            app.guilds.members.update_names(GUILD_ID, person.member.user_id, [person.name])
            app.conversation.skip_notice(person.member)
            if person.consent is not None:
                await app.memory.editor.set_consent(
                    person.member, person.consent, passive=person.passive or None
                )
        app.sentiment.watcher.add_listener(self._record_alert)
        await app.sentiment.watcher.start(lambda guild_id: True)

    async def _finish(self) -> None:
        """Summarise, count and prune, as the jobs of every night do."""
        app = self._app
        await app.memory.episodes.catch_up()
        await app.memory.reader.write_uses()
        await app.runtime.counters.write()
        runs = app.admin.job_runs
        await runs.prune()
        await runs.run_once("drift", app.policies.drift.check)
        await runs.run_once("census", app.admin.statistics.refresh)

    # --- scenes --------------------------------------------------------------------------------

    async def _play(self, scene: Scene) -> None:
        """Play a conversation, learn from it, and let moderators act."""
        if scene.policy is not None:
            await self._app.guilds.settings.set_policy(
                GUILD_ID,
                {"mode": scene.policy.mode},
                actor_id=self._members[scene.policy.by].user_id,
                reason=scene.policy.reason,
            )
        place = self._community.place(scene.channel)
        for line in scene.lines:
            self._clock.shift(BETWEEN_MESSAGES)
            now = self._clock.now()
            message = Event(
                guild_id=GUILD_ID,
                channel_id=place.id,
                source_id=place.id,
                message_id=snowflake(now),
                author_id=self._members[line.by].user_id,
                author_name=line.by,
                role=Role.MEMBER,
                text=line.text,
                created_at=now,
            )
            if line.score is None:
                await self._say(message, place)
            else:
                self._app.sentiment.watcher.record(message, self._community.audience(place))
        if place.is_watched:
            await self._app.sentiment.watcher.settle()
        else:
            await self._app.memory.recorder.settle()
        for deed in scene.then:
            self._move_to(self._when(scene) + timedelta(minutes=deed.after_minutes))
            await self._act(deed)
        if not place.is_watched:
            self._move_to(self._when(scene) + LIFETIME_OF_A_SCENE)
            await self._app.memory.episodes.catch_up()

    async def _say(self, event: Event, place: Place) -> None:
        """Have Kith answer what a member says, and record the answer."""
        app = self._app
        turn = Turn(
            event=event,
            audience=self._community.audience(place),
            people=(Person(event.author_id, event.author_name),),
            settings=await app.guilds.settings.get(GUILD_ID),
            channel_topics=(place.topics,),
        )
        answer = await app.conversation.answer(turn)
        if answer is None:
            return
        await app.conversation.note_sent(answer)
        app.runtime.metrics.count_reply(GUILD_ID, MODEL)
        self._clock.shift(BEFORE_REPLY)
        reply = answer_event(event, answer, self._clock.now())
        await app.memory.recorder.record(reply, turn.audience)

    # --- what moderators and members do --------------------------------------------------------

    async def _record_alert(self, batch: ScoredBatch) -> None:
        recorded = await self._app.sentiment.alerts.record(batch)
        self._alert_id = self._alert_id if recorded is None else recorded[0]

    async def _act(self, deed: Deed) -> None:
        """Let a moderator decide on a waiting memory, or act on the last alert."""
        actor_id = self._members[deed.by].user_id
        if deed.action in ("approve", "reject"):
            for waiting in await self._app.memory.reviews.waiting(GUILD_ID):
                if waiting.text == deed.memory:
                    await self._app.memory.editor.review(
                        GUILD_ID,
                        waiting.id,
                        deed.action == "approve",
                        actor_id,
                        self._community.open_ids,
                    )
            return
        alert = self._alert_id and await self._app.sentiment.alerts.get(GUILD_ID, self._alert_id)
        if not alert:
            raise LookupError("a scene of community.toml acts on an alert before there is one")
        alerts, kind = self._app.sentiment.alerts, ActionKind(deed.action)
        if kind in DECISIONS:
            await alerts.decide(alert, kind, actor_id)
            return
        user_id = NO_MEMBER if deed.member is None else self._members[deed.member].user_id
        if await alerts.claim(alert, kind, user_id, actor_id, deed.amount):
            await alerts.finish(alert, kind, user_id)

    async def _carry_out(self, command: Command) -> None:
        """Do what a member's or the operator's command says. Raises LookupError."""
        app = self._app
        if command.action == "recall policy":
            policy = (await app.policies.versions.active()).policy
            await app.policies.versions.apply(
                replace(policy, **command.changes), actor="command line", reason=command.reason
            )
            return
        member = self._members[command.member]
        page = await app.admin.browser.items(MemoryFilter(GUILD_ID, member.user_id))
        memory_id = next((row.id for row in page.rows if row.text == command.memory), None)
        if memory_id is None:
            raise LookupError(f"community.toml names a memory that nobody has: {command.memory}")
        if command.action == "forget":
            await app.memory.editor.forget(member, memory_id)
        else:
            place = self._community.channels[0]
            await app.memory.editor.correct(
                member, memory_id, Statement(command.text, snowflake(self._clock.now()), place.id)
            )
