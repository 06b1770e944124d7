"""Recall's policy: chosen in a form, its effect shown, and only then let hold, or tried."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.house import ACTOR
from cogs.dashboard.pages.editing import Line, given, held_of, worth
from cogs.dashboard.pages.layout import go_to, house_of, number, show
from utils.errors import BadInput, Conflict
from utils.model.memory import Kind
from utils.model.read_policy import FieldChange, Interval
from utils.policy_trials import FEW, Comparison
from utils.read_policies import (
    ANOTHER_HOLDS,
    LIMITS,
    ReadPolicy,
    cautions,
    flat,
    policy_diff,
    with_fields,
)

router = APIRouter()

EDIT = "/policy/recall/edit"
SIDES = {"asking": "Asking", "telling": "Telling"}
TERMS = {
    "text": "Words of the memory, or message, itself",
    "source": "Words of the message it came from",
    "previous": "Words of the message before that",
    "topics": "Words of its topics",
    "sentence": "Its match with the one sentence that it fits best",
    "coverage": "How many of the message's words it holds, rare ones more",
    "conversation_best": "The best match in its conversation",
    "conversation_mean": "The mean match of its conversation",
    "neighbours": "Matches of what was said beside it",
    "date": "Said on a day that is named",
    "time_word": "Names a time, where one is asked for",
    "channel": "Is about the channel's topics",
    "similarity": "Close in meaning (embeddings)",
    "question": "Is itself a question",
    "fullness": "How much it says",
    "continuity": "Is of the last conversations",
    "confidence": "How sure it is",
    "recency": "How lately it was said",
}
BLOCK = {
    "block_tokens": "Tokens of a block",
    "said_share": "Share of it for quoted messages",
    "excerpt_characters": "Characters of a quoted message",
    "most_items": "Memories and messages at most",
    "most_recent": "Recent ones at most, whatever is asked",
    "most_lore": "Lines of lore at most",
    "most_open": "Open ends at most",
    "talk_share": "Share for open ends and past chapters",
    "now_tokens": "Tokens of the chapter at hand",
}
RANKING = {
    "relevance_floor": "Relevance floor: the least match, the best being 1",
    "same_words": "Words in common from which two say the same",
    "recency_half_life_days": "Days after which recency is worth half",
    "continuity_decay": "What each newer conversation leaves of continuity",
    "bm25_k1": "BM25's k1: how much a word said again adds",
    "bm25_b": "BM25's b: how much long texts count less",
}
OF_KIND = "most_of_kind."
MEASURES = {  # of a comparison: in words, and how a figure and a difference are written
    "items": ("Memories and messages in a block", "{:.1f}", "{:+z.1f}"),
    "tokens": ("Tokens of a block", "{:.0f}", "{:+z.0f}"),
    "evidence in block": ("Evidence that is in the block", "{:.0%}", "{:+z.0%}"),
}
NO_NUMBER = "{what} is a number; this is none."


@dataclass(frozen=True, slots=True)
class Row:
    """A measure of what is recalled by both policies, written out."""

    measure: str
    before: str
    after: str
    difference: str


@dataclass(frozen=True, slots=True)
class Effect:
    """What another policy would have changed of what is recorded, written out."""

    found: Comparison
    alike: str
    rows: list[Row]
    is_little: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """What a form would change; ``effect`` None: nothing."""

    lines: list[Line]
    cautions: list[str]
    effect: Effect | None


@router.get(EDIT)
async def look(request: Request) -> Response:
    """Show what holds, to be changed; the address may name fields that are changed already."""
    typed = _fields(request.query_params)
    return await _page(request, typed, is_preview=bool(typed))


@router.post(f"{EDIT}/preview")
async def preview(request: Request) -> Response:
    """Show what the form would change, and its effect; nothing is saved."""
    return await _page(request, await _typed(request), is_preview=True)


@router.post(f"{EDIT}/apply")
async def apply(request: Request) -> Response:
    """Let what was previewed hold, from the next reply on."""
    typed, found = await _typed(request), house_of(request).core.read_policies
    try:
        why, held = given(typed.get("reason", "")), held_of(typed)
        await found.apply(chosen_of(typed), actor=ACTOR, reason=why, only=held)
    except BadInput as error:
        return await _refused(request, typed, error)
    return go_to("/policy?done=saved")


@router.post(f"{EDIT}/shadow")
async def start_shadow(request: Request) -> Response:
    """Run what was previewed beside what holds, without effect."""
    typed, found = await _typed(request), house_of(request).core.read_policies
    try:
        why, held = given(typed.get("reason", "")), held_of(typed)
        days = number(typed.get("days"), "How many days") or 0
        await found.start_shadow(chosen_of(typed), days, actor=ACTOR, reason=why, only=held)
    except BadInput as error:
        return await _refused(request, typed, error)
    return go_to("/policy?done=shadow-started")


async def _refused(request: Request, typed: Mapping[str, str], error: BadInput) -> Response:
    status = 409 if isinstance(error, Conflict) else 400
    return await _page(request, typed, is_preview=True, wrong=str(error), status=status)


async def _page(
    request: Request,
    typed: Mapping[str, str],
    *,
    is_preview: bool = False,
    wrong: str = "",
    status: int = 200,
) -> Response:
    house = house_of(request)
    active = await house.core.read_policies.active()
    held = number(typed.get("held"), "A version")
    held = active.version if held is None else held
    before = as_typed(await house.core.read_policies.get(held))
    form = before | _fields(typed)
    changed = {name: form[name] for name in LIMITS if worth(form[name]) != worth(before[name])}
    shown = None
    if held != active.version:
        wrong, status = str(Conflict(ANOTHER_HOLDS, version=active.version)), 409
    elif is_preview:
        try:
            shown = await _previewed(request, active.policy, chosen_of(changed))
        except BadInput as error:
            wrong, status = str(error), 400
    return show(
        request,
        "recall_policy.html",
        status=status,
        wrong=wrong,
        again=f"{EDIT}?{urlencode(changed)}" if held != active.version else None,
        at=EDIT,
        held=held,
        form=form,
        changed=changed | {"held": held},
        reason=typed.get("reason", ""),
        days=typed.get("days", ""),
        preview=shown,
        limits=LIMITS,
        sides=SIDES,
        terms=TERMS,
        groups=(("What a block holds", BLOCK), ("How it is ranked", RANKING)),
        kinds={f"{OF_KIND}{kind}": kind.value for kind in Kind},
    )


async def _previewed(request: Request, before: ReadPolicy, changes: Mapping[str, float]) -> Preview:
    after = with_fields(changes, before)
    lines, effect = in_words(policy_diff(before, after)), None
    if lines:  # htmx drops a request for the next one, and so nobody waits for most of them
        trials = house_of(request).core.trials
        effect = effect_of(await trials.compare(before, after, request.is_disconnected))
    return Preview(lines, cautions(after), effect)


async def _typed(request: Request) -> dict[str, str]:
    return {name: str(value) for name, value in (await request.form()).items()}


def _fields(typed: Mapping[str, str]) -> dict[str, str]:
    """Return those of a policy's fields that are there."""
    return {name: typed[name] for name in LIMITS if name in typed}


def as_typed(policy: ReadPolicy) -> dict[str, str]:
    """Return a policy as its form has it. Pure."""
    return {name: written(value) for name, value in flat(policy).items()}


def written(value: float) -> str:
    """Return a number in full, and without a needless point. Pure."""
    return repr(value).removesuffix(".0")


def chosen_of(typed: Mapping[str, str]) -> dict[str, float]:
    """Return a form's fields as ReadPolicies takes them. Raises BadInput for what is no number.
    Pure."""
    chosen = {}
    for name in LIMITS:
        if name in typed:
            try:
                chosen[name] = float(typed[name])
            except ValueError:
                raise BadInput(NO_NUMBER, what=name) from None
    return chosen


def in_words(changes: Iterable[FieldChange]) -> list[Line]:
    """Return what differs, each field by what it is and by its path. Pure."""
    return [
        Line(words_for(one.field), written(one.before), written(one.after), one.field)
        for one in changes
    ]


def words_for(path: str) -> str:
    """Return what a field is, in words. Pure."""
    above, _, name = path.rpartition(".")
    if above in SIDES:
        return f"{SIDES[above]}: {TERMS[name]}"
    return f"At most of a kind: {name}" if above else (BLOCK | RANKING)[name]


def effect_of(found: Comparison) -> Effect:
    """Return a comparison as the page writes it. Pure."""
    rows = []
    for line in found.lines:
        label, figure, signed = MEASURES[line.objective]
        before, after = (one.mean for one in line.means.values())
        if line.difference is not None and not math.isnan(before):
            difference = _spread(line.difference, signed).replace("%", "points")
            rows.append(Row(label, _said(before, figure), _said(after, figure), difference))
    return Effect(found, _spread(found.alike, "{:.0%}"), rows, found.members < FEW)


def _spread(one: Interval, form: str) -> str:
    """Return a mean with its interval, where there is one."""
    mean = _said(one.mean, form)
    if math.isnan(one.low):
        return mean
    return f"{mean} ({_said(one.low, form)} to {_said(one.high, form)})"


def _said(value: float, form: str) -> str:
    return form.format(value).replace("%", "\N{NO-BREAK SPACE}%")
