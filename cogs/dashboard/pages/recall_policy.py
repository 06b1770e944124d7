"""The editor of the recall policy: a form, then apply or shadow."""

from collections.abc import Iterable, Mapping
from typing import Literal
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.editing import DiffLine, base_version_of, check_reason, normalized
from cogs.dashboard.pages.layout import go_to, number, show
from cogs.dashboard.web.context import ACTOR, context_of
from cogs.dashboard.web.language import sentence_of, tr
from utils.common.errors import BadInput, Conflict
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.policy.recall_policy_fields import field_schemas, flat
from utils.models.memory import Kind
from utils.models.recall_policy import FieldChange

router = APIRouter()

EDIT = "/policy/recall/edit"
Action = Literal["apply", "shadow"]
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
    "previous_share": "How much the words of the message before count",
}


@router.get(EDIT)
async def look(request: Request) -> Response:
    """Show the active policy in a form; the query may hold changed fields already."""
    return await _page(request, request.query_params)


@router.post(f"{EDIT}/{{action}}")
async def change(request: Request, action: Action) -> Response:
    """Apply the form's policy from the next reply on, or run it in the shadow without effect."""
    typed = {name: str(value) for name, value in (await request.form()).items()}
    try:
        reason, base_version = check_reason(typed.get("reason", "")), base_version_of(typed)
        chosen, days = parse_form(typed), typed.get("days")
        return await carry_out(request, action, chosen, days, reason, base_version)
    except BadInput as error:
        return await _page(
            request,
            typed,
            wrong=sentence_of(error),
            status=409 if isinstance(error, Conflict) else 400,
        )


async def carry_out(
    request: Request,
    action: Action,
    chosen: int | Mapping[str, float],
    days: str | None,
    reason: str,
    only: int | None,
) -> Response:
    """Apply a version or the fields of one, or run it in the shadow for so many days.

    Raises BadInput, and Conflict unless the version ``only`` is active.
    """
    versions = context_of(request).app.policies.versions
    if action == "apply":
        await versions.apply(chosen, actor=ACTOR, reason=reason, only=only)
        return go_to("/policy?done=saved")
    day_count = number(days, "How many days") or 0
    await versions.start_shadow(chosen, day_count, actor=ACTOR, reason=reason, only=only)
    return go_to("/policy?done=shadow-started")


async def _page(
    request: Request, typed: Mapping[str, str], *, wrong: str = "", status: int = 200
) -> Response:
    """Show the form of the version that it was made from, with what was typed."""
    versions = context_of(request).app.policies.versions
    active_version = (await versions.active()).version
    base_version = number(typed.get("base_version"), "A version")
    base_version = active_version if base_version is None else base_version
    before = form_values(await versions.get(base_version))
    form = before | {name: typed[name] for name in before if name in typed}
    changed = {
        name: form[name] for name in before if normalized(form[name]) != normalized(before[name])
    }
    return show(
        request,
        "recall_policy.html",
        status=status,
        wrong=wrong,
        again=f"{EDIT}?{urlencode(changed)}" if base_version != active_version else None,
        at=EDIT,
        base_version=base_version,
        form=form,
        reason=typed.get("reason", ""),
        days=typed.get("days", ""),
        limits=field_schemas(),
        active=before,
        standard=form_values(versions.standard),
        sides=SIDES,
        terms=TERMS,
        groups=(("What a block contains", BLOCK), ("Ranking", RANKING)),
        kinds={f"most_of_kind.{kind}": kind.value for kind in Kind},
    )


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
                raise BadInput("{what} must be a number.", what=name) from None
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
