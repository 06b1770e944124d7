"""The recall debugger: what a message would recall, and why; it does not count as a use."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Query
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from cogs.dashboard.pages.layout import chosen_server, number, server_choices, show
from cogs.dashboard.pages.members import name_of, names_of
from cogs.dashboard.pages.people import user_id_of, with_id
from cogs.dashboard.pages.recall_policy import TERMS
from cogs.dashboard.web import recall_questions
from cogs.dashboard.web.context import InContext, context_of
from cogs.dashboard.web.language import sentence_of, tr
from utils.common.errors import BadInput
from utils.models.memory import Member, Role
from utils.models.recall import Omission

router = APIRouter()

CUTS = {
    Omission.NOT_ACTIVE: "It waits for review or is only stored as a shadow.",
    Omission.OVER: "It has expired.",
    Omission.UNREADABLE: "Somebody in this channel cannot read the channel where it was said.",
    Omission.FADED: "It is too old for its kind.",
    Omission.NO_MATCH: "It shares no word, day, topic or meaning with the message.",
    Omission.UNRELATED: "So little of the message is found that nothing is told.",
    Omission.CROWD: "Many others of its kind match better.",
    Omission.PROFILE: "The profile already says it.",
    Omission.PAIR: "The block has its memory or its message instead.",
    Omission.MAX_PER_KIND: "The block has enough of its kind.",
    Omission.NO_STATEMENT: "It is a question, command, page, about others, or under four words.",
    Omission.UNFIT: "Current rules never recall it.",
    Omission.OUTDATED: "A newer memory made it untrue.",
    Omission.SAME_WORDS: "A text in the same words is in the block.",
    Omission.NO_ROOM: "The token budget is used up.",
    Omission.MAX_ITEMS: "The block has enough items.",
}


class RecallQuestion(BaseModel):
    """What the form asks: as which member, and in which channel, a message would be written."""

    guild: str = ""
    channel: str = ""
    member: str = ""
    text: str = ""


@router.get("/recall")
async def ask(request: Request, question: Annotated[RecallQuestion, Query()]) -> Response:
    """Show the form: channel, member and message."""
    guild_id, member = number(question.guild, "A server"), question.member
    if guild_id is not None and member.isascii() and member.isdecimal():
        subject = Member(guild_id, number(member, "A member") or 0)
        question.member = with_id(await name_of(context_of(request), subject), subject.user_id)
    return await _page(request, question)


@router.post("/recall")
async def explain(
    request: Request, question: Annotated[RecallQuestion, Form()], context: InContext
) -> Response:
    """Show what would be recalled; the view is recorded in the audit of each member."""
    try:
        guild_id = number(question.guild, "A server")
        channel_id = number(question.channel, "A channel")
        if guild_id is None or channel_id is None:
            raise BadInput("Choose a server and a channel.")
        subject = Member(guild_id, await user_id_of(context, guild_id, question.member))
        name = await name_of(context, subject)
        explanation = await recall_questions.explain_recall(
            context, guild_id, channel_id, subject.user_id, question.text, name
        )
    except BadInput as error:
        return await _page(request, question, wrong=sentence_of(error), status=400)
    considered = []
    for candidate in explanation.considered:
        cut, by_name = CUTS[candidate.cut] if candidate.cut else "", candidate.terms.items()
        largest = max((abs(value) for _, value in by_name), default=1.0)
        terms = [  # each with its share of the largest, 0 to 100
            (name, value, round(100 * abs(value) / largest, 1))
            for name, value in sorted(by_name, key=lambda term: -abs(term[1]))
        ]
        considered.append((candidate, cut, terms))
    question.member = with_id(name, subject.user_id)
    silent = [Member(subject.guild_id, user_id) for user_id in explanation.silent_ids]
    return await _page(
        request,
        question,
        explanation=explanation,
        considered=considered,
        name=name,
        silent=(await names_of(context, silent)).values(),
    )


@router.post("/recall/example")
async def example(
    request: Request, context: InContext, guild: Annotated[str, Form()] = ""
) -> Response:
    """Show what would be recalled for a question that was asked in a server; see ``explain``."""
    guild_id = chosen_server(context, guild)
    question = RecallQuestion(guild=str(guild_id or ""))
    messages = () if guild_id is None else (await context.app.admin.browser.events(guild_id)).rows
    visible = {channel.id for channel in context.discord.channels(guild_id or 0)}
    member_messages = [
        message
        for message in messages
        if message.role is Role.MEMBER and message.text and message.channel_id in visible
    ]
    chosen = next(
        (message for message in member_messages if "?" in message.text),
        next(iter(member_messages), None),
    )
    if chosen is None:
        return await _page(
            request,
            question,
            wrong=tr("No message of a member is stored here. Write one yourself."),
            status=400,
        )
    question.channel, question.member = str(chosen.channel_id), str(chosen.author_id)
    question.text = chosen.text
    return await explain(request, question, context)


async def _page(
    request: Request, question: RecallQuestion, *, status: int = 200, wrong: str = "", **shown: Any
) -> Response:
    """Return the form, with what was ``shown`` for the question."""
    context = context_of(request)
    servers = server_choices(context)
    chosen = question.guild or (str(servers[0][0]) if servers else "")
    guild_id = number(chosen, "A server")
    channels = context.discord.channels(guild_id) if guild_id is not None else ()
    nothing = {"explanation": None, "considered": (), "name": "", "silent": ()}
    return show(
        request,
        "recall.html",
        status=status,
        wrong=wrong,
        servers=servers,
        channels=[(place.id, f"#{place.name}") for place in channels],
        picked=question.model_dump() | {"guild": chosen},
        signals=TERMS,
        **nothing | shown,
    )
