"""What may be used here of the speaker's memories, and what an answer that uses them rests on."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from utils.common.clock import Clock
from utils.common.text import one_line
from utils.memory.member_data.open_loops import OpenLoops
from utils.memory.member_data.view import MemberData
from utils.models.conversation import Turn
from utils.models.episode import OpenLoop
from utils.models.memory import Memory
from utils.models.provenance import NO_PROVENANCE, Provenance, SourceKind, SourceRef

MAX_LISTED = 30  # memories in the result of one tool call


@dataclass(eq=False, repr=False)
class SpeakerMemories:
    """Loads the memories and open loops of a turn's speaker that every reader may see.

    ``about_ids`` collects the members whose memories were used, ``provenance`` the memories
    themselves.
    """

    _turn: Turn
    _member_data: MemberData
    _open_loops: OpenLoops
    _clock: Clock
    about_ids: tuple[int, ...] = ()
    provenance: Provenance = NO_PROVENANCE

    async def load(self) -> Sequence[Memory]:
        """Return what may be used here of the speaker, their linked account's included."""
        sources = self._turn.audience.sources
        member = self._turn.event.member
        overview = await self._member_data.show(member, sources, sources)
        self.about_ids += tuple({row.user_id for row in overview.rows} - {member.user_id})
        return overview.rows

    async def load_loops(self) -> list[OpenLoop]:
        """Return what the speaker wants to be asked about, as far as it may be used here."""
        return await self._open_loops.of_member(
            self._turn.event.member, self._turn.audience.sources
        )

    def show_loops(self, loops: Sequence[OpenLoop]) -> list[str]:
        """Return open loops in words, each with its day; the answer rests on them."""
        zone = self._turn.settings.zone
        sources = tuple(SourceRef(SourceKind.MESSAGE, loop.message_id) for loop in loops)
        self.add_sources(
            Provenance(sources, loops=tuple((loop.id, loop.message_id) for loop in loops))
        )
        return [f"to ask about ({date_of(loop, zone)}): {one_line(loop.text)}" for loop in loops]

    def show(self, rows: Sequence[Memory]) -> list[Memory]:
        """Return the memories that the model may see now; the answer then rests on them."""
        now = self._clock.now()
        visible = [row for row in rows if self._turn.settings.recall and row.is_live(now)]
        sources = tuple(SourceRef(SourceKind.MEMORY, row.id) for row in visible[:MAX_LISTED])
        self.add_sources(Provenance(sources))
        return visible

    def add_sources(self, provenance: Provenance) -> None:
        """Note that the answer rests on these sources too."""
        self.provenance = Provenance.merged((self.provenance, provenance))

    def drop_sources(self, ids: Set[int]) -> None:
        """Note that these memories or messages are erased: what rests on them would be deleted."""
        self.provenance = replace(
            self.provenance,
            sources=tuple(
                ref
                for ref in self.provenance.sources
                if ref.id not in ids or ref.kind is SourceKind.EPISODE
            ),
        )


def date_of(loop: OpenLoop, zone: ZoneInfo) -> str:
    """Return the day from which an open loop is asked about."""
    return "when it fits" if loop.due_at is None else f"{loop.due_at.astimezone(zone):%d %B %Y}"
