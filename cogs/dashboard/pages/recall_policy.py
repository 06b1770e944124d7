"""The editor of the recall policy: a form, a preview of its effect, then apply or shadow."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.editing import DiffLine, base_version_of, check_reason, normalized
from cogs.dashboard.pages.layout import go_to, number, show
from cogs.dashboard.web.context import ACTOR, context_of
from cogs.dashboard.web.language import sentence_of, tr
from cogs.dashboard.web.language import written as number_text
from utils.common.errors import BadInput, Conflict
from utils.memory.evaluation.policy_trials import FEW, Comparison
from utils.memory.evaluation.policy_versions import ANOTHER_HOLDS
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.policy.recall_policy_fields import (
    cautions,
    field_schemas,
    flat,
    policy_diff,
    with_fields,
)
from utils.models.memory import Kind
from utils.models.recall_policy import FieldChange, Interval

router = APIRouter()

EDIT = "/policy/recall/edit"
SIDES = {"asking": "Asking", "telling": "Telling"}
TERMS = {
    "text": "Words of the memory or message itself",
    "sentence": "Its match with the best sentence of the message",
    "coverage": "Share of the message's words in it, weighted by rarity",
    "conversation_best": "The best match in its conversation",
    "conversation_mean": "The mean match of its conversation",
    "neighbours": "Matches of neighbouring messages",
    "date": "Said on a day that the message names",
    "time_word": "Names a time, if the message asks for one",
    "channel": "Is about the channel's topics",
    "similarity": "Close in meaning (embeddings)",
    "question": "Is itself a question",
    "linked": "How well its message or its memory matches",
    "continuity": "Belongs to the last conversations",
}
BLOCK = {
    "block_tokens": "Tokens of a block",
    "said_share": "Share of tokens for quoted messages",
    "excerpt_characters": "Characters of a quoted message",
    "most_items": "Max. memories and messages",
    "most_recent": "Max. recent ones, whatever the question",
    "most_lore": "Max. lines of lore",
    "most_open": "Max. open ends",
    "talk_share": "Share of tokens for open ends and past chapters",
    "now_tokens": "Tokens of the current chapter",
}
RANKING = {
    "same_words": "Share of words in common that makes two texts the same",
    "continuity_decay": "Share of continuity left after each newer conversation",
    "bm25_k1": "BM25 k1: how much a repeated word adds",
    "bm25_b": "BM25 b: how much less long texts count",
    "category_share": "How much members of categories and compounds count (cake for dessert)",
    "previous_share": "How much words of the message before count",
}
OF_KIND = "most_of_kind."
MEASURES = {  # of a comparison: label, format of a value, format of a difference
    "items": ("Memories and messages in a block", ".1f", "+z.1f"),
    "tokens": ("Tokens of a block", ".0f", "+z.0f"),
    "evidence in block": ("Evidence in the block", ".0%", "+z.0%"),
}
NO_NUMBER = "{what} must be a number."


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """A measure of what both policies recall, as text."""

    measure: str
    before: str
    after: str
    difference: str


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """What another policy would have recalled in recorded exchanges, as text."""

    comparison: Comparison
    alike: str
    rows: list[MeasureRow]
    has_few_members: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """What a form would change; ``effect`` is None if nothing changes."""

    lines: list[DiffLine]
    cautions: list[str]
    effect: ComparisonView | None


@router.get(EDIT)
async def look(request: Request) -> Response:
    """Show the active policy in a form; the query may hold changed fields already."""
    typed = _fields(request.query_params)
    return await _page(request, typed, is_preview=bool(typed))


@router.post(f"{EDIT}/preview")
async def preview(request: Request) -> Response:
    """Show what the form would change and its effect. Saves nothing."""
    return await _page(request, await _typed(request), is_preview=True)


@router.post(f"{EDIT}/apply")
async def apply(request: Request) -> Response:
    """Apply the previewed policy, starting with the next reply."""
    typed, versions = await _typed(request), context_of(request).app.policies.versions
    try:
        why, base_version = check_reason(typed.get("reason", "")), base_version_of(typed)
        await versions.apply(parse_form(typed), actor=ACTOR, reason=why, only=base_version)
    except BadInput as error:
        return await _refused(request, typed, error)
    return go_to("/policy?done=saved")


@router.post(f"{EDIT}/shadow")
async def start_shadow(request: Request) -> Response:
    """Run the previewed policy in the shadow, without effect on answers."""
    typed, versions = await _typed(request), context_of(request).app.policies.versions
    try:
        why, base_version = check_reason(typed.get("reason", "")), base_version_of(typed)
        days = number(typed.get("days"), "How many days") or 0
        await versions.start_shadow(
            parse_form(typed), days, actor=ACTOR, reason=why, only=base_version
        )
    except BadInput as error:
        return await _refused(request, typed, error)
    return go_to("/policy?done=shadow-started")


async def _refused(request: Request, typed: Mapping[str, str], error: BadInput) -> Response:
    status = 409 if isinstance(error, Conflict) else 400
    return await _page(request, typed, is_preview=True, wrong=sentence_of(error), status=status)


async def _page(
    request: Request,
    typed: Mapping[str, str],
    *,
    is_preview: bool = False,
    wrong: str = "",
    status: int = 200,
) -> Response:
    context = context_of(request)
    active = await context.app.policies.versions.active()
    base_version = number(typed.get("base_version"), "A version")
    base_version = active.version if base_version is None else base_version
    before = form_values(await context.app.policies.versions.get(base_version))
    form = before | _fields(typed)
    changed = {
        name: form[name] for name in before if normalized(form[name]) != normalized(before[name])
    }
    preview_data = None
    if base_version != active.version:
        wrong, status = tr(ANOTHER_HOLDS, version=active.version), 409
    elif is_preview:
        try:
            preview_data = await _preview(request, active.policy, parse_form(changed))
        except BadInput as error:
            wrong, status = sentence_of(error), 400
    return show(
        request,
        "recall_policy.html",
        status=status,
        wrong=wrong,
        again=f"{EDIT}?{urlencode(changed)}" if base_version != active.version else None,
        at=EDIT,
        base_version=base_version,
        form=form,
        changed=changed | {"base_version": base_version},
        reason=typed.get("reason", ""),
        days=typed.get("days", ""),
        preview=preview_data,
        limits=field_schemas(),
        active=before,
        standard=form_values(context.app.policies.versions.standard),
        sides=SIDES,
        terms=TERMS,
        groups=(("What a block contains", BLOCK), ("Ranking", RANKING)),
        kinds={f"{OF_KIND}{kind}": kind.value for kind in Kind},
    )


async def _preview(request: Request, before: RecallPolicy, changes: Mapping[str, float]) -> Preview:
    after = with_fields(changes, before)
    lines, effect = diff_lines(policy_diff(before, after)), None
    if lines:  # htmx drops a request when the next one starts, so most comparisons are abandoned
        trials = context_of(request).app.policies.trials
        effect = comparison_view(await trials.compare(before, after, request.is_disconnected))
    return Preview(lines, cautions(after), effect)


async def _typed(request: Request) -> dict[str, str]:
    return {name: str(value) for name, value in (await request.form()).items()}


def _fields(typed: Mapping[str, str]) -> dict[str, str]:
    """Return the policy fields that a form contains."""
    return {name: typed[name] for name in field_schemas() if name in typed}


def form_values(policy: RecallPolicy) -> dict[str, str]:
    """Return the form values of a policy. Pure."""
    return {name: written(value) for name, value in flat(policy).items()}


def written(value: float) -> str:
    """Return a number in full, without a trailing ".0". Pure."""
    return repr(value).removesuffix(".0")


def parse_form(typed: Mapping[str, str]) -> dict[str, float]:
    """Return the fields of a form as numbers. Raises BadInput if one is not a number. Pure."""
    chosen = {}
    for name in field_schemas():
        if name in typed:
            try:
                chosen[name] = float(typed[name])
            except ValueError:
                raise BadInput(NO_NUMBER, what=name) from None
    return chosen


def diff_lines(changes: Iterable[FieldChange]) -> list[DiffLine]:
    """Return the changed fields with their labels and paths. Pure."""
    return [
        DiffLine(
            field_label(change.field), written(change.before), written(change.after), change.field
        )
        for change in changes
    ]


def field_label(path: str) -> str:
    """Return the label of a field. Pure."""
    above, _, name = path.rpartition(".")
    if above in SIDES:
        return f"{tr(SIDES[above])}: {tr(TERMS[name])}"
    return f"{tr('Max. of a kind')}: {tr(name)}" if above else tr((BLOCK | RANKING)[name])


def comparison_view(comparison: Comparison) -> ComparisonView:
    """Return a comparison as the page shows it. Pure."""
    rows = []
    for line in comparison.lines:
        label, figure, signed = MEASURES[line.objective]
        before, after = (interval.mean for interval in line.means.values())
        if line.difference is not None and not math.isnan(before):
            difference = _with_interval(line.difference, signed).replace("%", tr("points"))
            rows.append(
                MeasureRow(
                    label, number_text(before, figure), number_text(after, figure), difference
                )
            )
    return ComparisonView(
        comparison, _with_interval(comparison.alike, ".0%"), rows, comparison.members < FEW
    )


def _with_interval(interval: Interval, form: str) -> str:
    """Return a mean, with its interval if there is one."""
    mean = number_text(interval.mean, form)
    if math.isnan(interval.low):
        return mean
    low, high = number_text(interval.low, form), number_text(interval.high, form)
    return tr("{mean} ({low} to {high})", mean=mean, low=low, high=high)
