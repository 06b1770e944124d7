"""Explains a recall: every candidate with its ranking terms, and why it was shown or left out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from utils.common.text import estimate_tokens
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.policy.write_policy import has_faded
from utils.memory.recall.pipeline import Material, Rules, paragraph_for, rank_person
from utils.memory.recall.prepared_cache import PreparedMember
from utils.models.admin import RecallCandidate, RecallExplanation
from utils.models.memory import SERVER_USER_ID, Kind, MemberHeader, Memory, Status
from utils.models.recall import Omission, Omissions, Ranked, RankedMatches, Recall, Said

MAX_LISTED = 300
COURTESY, RELEVANT, RECENT, LORE, SAID = "Courtesy", "Relevant", "Recent", "Lore", "Said"


@dataclass(slots=True)
class RecallTrace:
    """Records what a recall was made of, to explain it later; times are monotonic."""

    started: float
    cuts: Omissions = field(default_factory=Omissions)
    recorded: "RecordedRecall | None" = None

    def explanation(self, ended: float) -> RecallExplanation:
        """Return every candidate and why it was shown or not; slower than the recall itself."""
        recorded = self.recorded
        if recorded is None:
            return RecallExplanation(is_off=True)
        considered = sorted(
            self._considered(recorded),
            key=lambda candidate: (not candidate.layer, -candidate.score, not candidate.terms),
        )
        recall, people = recorded.recall, recorded.material.loaded.people
        user_ids = [member.user_id for member in people if member.user_id != SERVER_USER_ID]
        ranked_ids = [user_id for user_id in user_ids if user_id in recall.matches_by_user]
        return RecallExplanation(
            considered=tuple(considered[:MAX_LISTED]),
            block=recall.block,
            now=recall.now,
            tokens=estimate_tokens("\n".join(filter(None, (recall.now, recall.block)))),
            budget_tokens=recorded.policy.block_tokens,
            left_off=max(0, len(considered) - MAX_LISTED),
            load_ms=(recorded.loaded_at - self.started) * 1000,
            rank_ms=(ended - recorded.loaded_at) * 1000,
            about_ids=tuple(dict.fromkeys((*ranked_ids, *recall.about_ids))),
            silent_ids=tuple(
                user_id for user_id in user_ids if user_id not in recall.matches_by_user
            ),
        )

    def _considered(self, recorded: "RecordedRecall") -> Iterator[RecallCandidate]:
        shown_ids = {row.id for row in recorded.recall.rows}
        material, rules = recorded.material, recorded.rules
        for member, (header, prepared) in material.loaded.people.items():
            matches = recorded.recall.matches_by_user.get(member.user_id)
            if member.user_id != SERVER_USER_ID and matches is not None:
                shown_ids -= {row.id for row in prepared.rows}
                candidates = rank_person(
                    header,
                    prepared,
                    material,
                    recorded.policy,
                    rules.write_policy,
                    is_limited=False,
                )
                yield from self._rows(recorded, header, prepared, matches, candidates.rows)
                yield from self._messages(recorded, matches, candidates.messages)
        for row in recorded.recall.rows:
            if row.id in shown_ids:
                yield _memory(row, None, LORE, None)

    def _rows(
        self,
        recorded: "RecordedRecall",
        header: MemberHeader,
        prepared: PreparedMember,
        matches: RankedMatches,
        of_rows: Sequence[Ranked[Memory]],
    ) -> Iterator[RecallCandidate]:
        """Yield every memory of one account, in any status."""
        request = recorded.material.request
        write_policy = recorded.rules.write_policy
        allowed = prepared.recallable(request.audience.sources, request.now, write_policy)
        may_recall = dict(zip(prepared.rows.ids.tolist(), allowed.tolist(), strict=True))
        paragraph = paragraph_for(header.profile, prepared.rows, lambda row: may_recall[row.id])
        candidates = {match.row.id: match for match in of_rows}
        ranked = {match.row.id for match in matches.rows}
        shown_ids = {row.id for row in recorded.recall.rows}
        for row in prepared.rows:
            candidate, cut, layer = candidates.get(row.id), None, ""
            if row.id in shown_ids and row.kind is Kind.CONSTRAINT:
                layer = COURTESY
            elif row.id in shown_ids:
                layer = RELEVANT if row.id in ranked else RECENT
            elif row.id in paragraph.row_ids:
                cut = Omission.PROFILE
            elif not may_recall[row.id]:
                cut = _reason_unreadable(row, recorded)
            elif row.id in self.cuts.rows:
                cut = self.cuts.rows[row.id]
            elif candidate is None:
                cut = Omission.NO_MATCH
            else:
                cut = self.cuts.default if row.id in ranked else _reason_unranked(matches)
            yield _memory(row, candidate, layer, cut)

    def _messages(
        self,
        recorded: "RecordedRecall",
        matches: RankedMatches,
        candidates: Sequence[Ranked[Said]],
    ) -> Iterator[RecallCandidate]:
        """Yield the matching messages of one account."""
        ranked = {match.row.event_id for match in matches.messages}
        shown_ids = {quote.event_id for quote in recorded.recall.quotes}
        for ranking in candidates:
            message, cut, layer = ranking.row, None, ""
            if message.event_id in shown_ids:
                layer = SAID
            elif message.event_id in self.cuts.messages:
                cut = self.cuts.messages[message.event_id]
            else:
                is_ranked = message.event_id in ranked
                cut = self.cuts.default if is_ranked else _reason_unranked(matches)
            yield RecallCandidate(
                memory_id=None,
                message_id=message.message_id,
                channel_id=message.channel_id,
                text=f"{message.label} {message.text}".strip(),
                kind=None,
                status=None,
                said_at=message.said_at,
                score=ranking.score,
                terms=ranking.terms,
                layer=layer,
                cut=cut,
            )


@dataclass(frozen=True, slots=True)
class RecordedRecall:
    """A recall, and what it was composed from at the time ``loaded_at``."""

    material: Material
    policy: RecallPolicy
    rules: Rules
    recall: Recall
    loaded_at: float


def _reason_unranked(matches: RankedMatches) -> Omission:
    """Return why a candidate is not among the ranked matches."""
    return Omission.CROWD if matches.rows or matches.messages else Omission.UNRELATED


def _reason_unreadable(row: Memory, recorded: RecordedRecall) -> Omission:
    """Return why a memory must not be shown here at all."""
    request, write_policy = recorded.material.request, recorded.rules.write_policy
    if row.status is not Status.ACTIVE:
        return Omission.NOT_ACTIVE
    if not row.is_live(request.now):
        return Omission.OVER
    if row.channel_id not in request.audience.sources:
        return Omission.UNREADABLE
    return Omission.FADED if has_faded(row, request.now, write_policy) else Omission.NO_MATCH


def _memory(
    row: Memory, candidate: Ranked[Memory] | None, layer: str, cut: Omission | None
) -> RecallCandidate:
    return RecallCandidate(
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
