"""What a recall considered, with every term, and why it told what it told. Changes nothing."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from utils.memory.common_ground import Asked
from utils.memory.policy import ReadPolicy, WritePolicy, has_faded
from utils.memory.prepared import Loaded, Prepared, paragraph_for
from utils.memory.ranking import MOST_OF_A_KIND, MOST_RANKED, explain
from utils.model.browsing import Considered, Explained
from utils.model.memory import SERVER_ITSELF, Kind, Memory, Standing, Status
from utils.model.recall import Cut, Cuts, Fitting, Ranked, Recall
from utils.text import estimate_tokens

MOST_LISTED = 300
PROFILE, COURTESY, RELEVANT, RECENT, LORE, SAID = (
    "Profile", "Courtesy", "Relevant", "Recent", "Lore", "Said",
)  # fmt: skip


@dataclass(slots=True)
class Witness:
    """Given to a recall, it keeps what that was made of; times are monotonic."""

    begun: float
    cuts: Cuts = field(default_factory=Cuts)
    _seen: "_Seen | None" = None

    def see(
        self,
        asked: Asked,
        loaded: Loaded,
        recall: Recall,
        read_policy: ReadPolicy,
        write_policy: WritePolicy,
        loaded_at: float,
    ) -> None:
        """Keep what was asked, what was loaded for it, and what came of it."""
        self._seen = _Seen(asked, loaded, recall, read_policy, write_policy, loaded_at)

    def explained(self, ended: float) -> Explained:
        """Return what was considered, and why. It takes longer than the recall itself did."""
        seen = self._seen
        if seen is None:
            return Explained(is_off=True)
        considered = sorted(
            self._considered(seen), key=lambda one: (not one.layer, -one.score, not one.terms)
        )
        recall = seen.recall
        asked_about = [one.user_id for one in seen.loaded.people if one.user_id != SERVER_ITSELF]
        heard = [user_id for user_id in asked_about if user_id in recall.fitting]
        return Explained(
            considered=tuple(considered[:MOST_LISTED]),
            block=recall.block,
            now=recall.now,
            tokens=estimate_tokens("\n".join(filter(None, (recall.now, recall.block)))),
            budget_tokens=seen.read_policy.block_tokens,
            left_off=max(0, len(considered) - MOST_LISTED),
            load_ms=(seen.loaded_at - self.begun) * 1000,
            rank_ms=(ended - seen.loaded_at) * 1000,
            about_ids=tuple(dict.fromkeys((*heard, *recall.about_ids))),
            silent_ids=tuple(one for one in asked_about if one not in recall.fitting),
        )

    def _considered(self, seen: "_Seen") -> Iterator[Considered]:
        told = {row.id for row in seen.recall.rows}
        for member, (standing, one) in seen.loaded.people.items():
            fits = seen.recall.fitting.get(member.user_id)
            if member.user_id != SERVER_ITSELF and fits is not None:
                told -= {row.id for row in one.rows.items}
                yield from self._rows(seen, standing, one, fits)
                yield from self._messages(seen, standing, one, fits)
        for row in seen.recall.rows:
            if row.id in told:
                yield _memory(row, None, LORE, None)

    def _rows(
        self, seen: "_Seen", standing: Standing, one: Prepared, fits: Fitting
    ) -> Iterator[Considered]:
        """Yield every row of one account's, whatever its status."""
        asked, items = seen.asked, one.rows.items
        allowed = one.rows.recallable(asked.audience.sources, asked.now, seen.write_policy)
        may_recall = dict(zip((row.id for row in items), allowed.tolist(), strict=True))
        paragraph = paragraph_for(standing.profile, one.rows, lambda row: may_recall[row.id])
        candidates = _by_id(
            explain(
                one.rows,
                asked.query,
                allowed,
                asked.now,
                seen.read_policy,
                zone=asked.zone,
                similarities=asked.similarities.rows,
            )
        )
        ranked = {each.row.id for each in fits.rows}
        crowd = Counter(each.row.kind for each in fits.rows)
        told = {row.id for row in seen.recall.rows}
        for row in items:
            candidate, cut, layer = candidates.get(row.id), None, ""
            if row.id in told:
                layer = COURTESY if row.kind is Kind.CONSTRAINT else RECENT
                layer = RELEVANT if row.id in ranked and layer is RECENT else layer
            elif row.id in paragraph.row_ids:
                cut = Cut.PROFILE
            elif not may_recall[row.id]:
                cut = _hindrance(row, seen)
            elif row.id in self.cuts.rows:
                cut = self.cuts.rows[row.id]
            elif candidate is None:
                cut = Cut.NO_MATCH
            elif row.id not in ranked:
                cut = Cut.CROWD if crowd[row.kind] >= MOST_OF_A_KIND else Cut.FLOOR
            else:
                cut = self.cuts.rest
            yield _memory(row, candidate, layer, cut)

    def _messages(
        self, seen: "_Seen", standing: Standing, one: Prepared, fits: Fitting
    ) -> Iterator[Considered]:
        """Yield those messages of one account's that match, unless nothing of theirs is told."""
        asked = seen.asked
        if standing.ignored:
            return
        candidates = explain(
            one.said,
            asked.query,
            one.said.readable(asked.audience.sources, asked.now, but=asked.shown | {-asked.but}),
            asked.now,
            seen.read_policy,
            zone=asked.zone,
            similarities=asked.similarities.events,
            in_context=True,
        )
        ranked = {each.row.event_id for each in fits.said}
        told = {quote.event_id for quote in seen.recall.said}
        for each in candidates:
            said, cut, layer = each.row, None, ""
            if said.event_id in told:
                layer = SAID
            elif said.event_id in self.cuts.said:
                cut = self.cuts.said[said.event_id]
            elif said.event_id in ranked:
                cut = self.cuts.rest
            else:
                cut = Cut.CROWD if len(ranked) >= MOST_RANKED else Cut.FLOOR
            yield Considered(
                memory_id=None,
                message_id=said.message_id,
                channel_id=said.channel_id,
                text=f"{said.label} {said.text}".strip(),
                kind=None,
                status=None,
                said_at=said.said_at,
                score=each.score,
                terms=each.terms,
                layer=layer,
                cut=cut,
            )


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a witness was shown."""

    asked: Asked
    loaded: Loaded
    recall: Recall
    read_policy: ReadPolicy
    write_policy: WritePolicy
    loaded_at: float


def _hindrance(row: Memory, seen: _Seen) -> Cut:
    """Return why a row may not be told here at all."""
    asked = seen.asked
    if row.status is not Status.ACTIVE:
        return Cut.NOT_ACTIVE
    if not row.is_live(asked.now):
        return Cut.OVER
    if row.channel_id not in asked.audience.sources:
        return Cut.UNREADABLE
    return Cut.FADED if has_faded(row, asked.now, seen.write_policy) else Cut.NO_MATCH


def _by_id(ranked: list[Ranked[Memory]]) -> dict[int, Ranked[Memory]]:
    return {each.row.id: each for each in ranked}


def _memory(
    row: Memory, candidate: Ranked[Memory] | None, layer: str, cut: Cut | None
) -> Considered:
    return Considered(
        memory_id=row.id,
        message_id=None,
        channel_id=row.channel_id,
        text=row.text,
        kind=row.kind,
        status=row.status,
        said_at=row.last_confirmed_at,
        score=0.0 if candidate is None else candidate.score,
        terms={} if candidate is None else candidate.terms,
        layer=layer,
        cut=cut,
    )
