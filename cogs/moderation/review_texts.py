"""Texts of the review queue: posts, decisions, and the lines of the list."""

from collections.abc import Sequence

import discord

from cogs.bot.localisation import ENGLISH, tr
from cogs.memory.memory_text import KIND_WORDS, OF_SERVER, SURENESS
from utils.common.text import clip, defuse_mentions, escape_markdown, one_line
from utils.models.memory import SERVER_USER_ID, Memory
from utils.models.operator import OPERATOR
from utils.models.policy import Outcome, Review, ReviewSource

POST_LIMIT, LINE_LIMIT = 1200, 400  # of all memories in a post, of one in a list
HIDDEN = "(said where you can't read, or in an age-restricted channel)"
HIDDEN_FROM_SOME = "It was said where not everybody here can read, or in an age-restricted channel."
NO_SENTENCE = "(its sentence is no longer stored)"
HEADING = "**Memories that wait for approval**"
BACK = "Back"
NEXT = "Next"
DECIDED = {
    Outcome.WAITING: "Memory `#{id}` still waits.",
    Outcome.APPROVED: "Memory `#{id}`: approved by {by}.",
    Outcome.REJECTED: "Memory `#{id}`: rejected by {by}, and erased.",
    Outcome.CONFIRMED: "Memory `#{id}` was said again and needs no approval any more.",
    Outcome.REPLACED: "Memory `#{id}` was corrected by its member and needs no approval any more.",
    Outcome.EDITED: "Memory `#{id}`: {by} changed its text; the new one has a new number.",
    Outcome.GONE: "Memory `#{id}` is gone: it was forgotten, or its time was over.",
}


def decision_text(memory_id: int, review: Review, locale: discord.Locale = ENGLISH) -> str:
    """Return the state of a memory and who decided, without the memory's text."""
    actor_id = review.moderator_id
    return tr(
        locale,
        DECIDED[review.outcome],
        id=memory_id,
        by=tr(locale, "my operator") if actor_id == OPERATOR else f"<@{actor_id}>",
    )


def queue_text(
    memories: Sequence[Memory],
    readable: Sequence[bool],
    decided: Sequence[str],
    more: int,
    locale: discord.Locale,
) -> str:
    """Return the text of the post: what was decided, and the memories that wait.

    Args:
        memories: the memories that the post shows, oldest first.
        readable: for each, whether everybody who reads the post may read it.
        decided: what became of memories that it showed before.
        more: how many further ones wait.
    """
    lines = list(decided)
    if len(memories) > 1 or any(readable):
        lines.append(tr(locale, HEADING if len(memories) > 1 else "A memory waits for approval:"))
    limit = POST_LIMIT // max(1, len(memories))
    for memory, is_readable in zip(memories, readable, strict=True):
        if is_readable:
            lines.append(memory_line(memory, memory.text, limit, locale))
        else:
            text = tr(
                locale,
                "A memory of {owner} waits for approval (`#{id}`).",
                owner=_owner(memory, locale),
                id=memory.id,
            )
            lines.append(f"{text} {tr(locale, HIDDEN_FROM_SOME)}")
    if more:
        lines.append(tr(locale, "… and {count} more in `/mod review`.", count=more))
    return "\n".join(lines)


def sentence_text(proposal: Memory, source: ReviewSource | None, locale: discord.Locale) -> str:
    """Return a waiting memory with the sentence behind it, and the link to the message."""
    line = memory_line(proposal, proposal.text, LINE_LIMIT, locale)
    if source is None or not source.sentence:
        return f"{line}\n> {tr(locale, NO_SENTENCE)}"
    words = clip(escape_markdown(defuse_mentions(one_line(source.sentence))), LINE_LIMIT)
    said_at = discord.utils.format_dt(source.said_at, "f")
    return "\n".join([line, f"> {words}", f"-# {said_at} {source.link or ''}".rstrip()])


def memory_line(proposal: Memory, text: str, limit: int, locale: discord.Locale) -> str:
    """Return a waiting memory with its number, member, kind and confidence."""
    words = clip(escape_markdown(defuse_mentions(text)), limit, at_word=True)
    notes = tr(locale, "not verified")
    if proposal.confidence:
        sureness = tr(locale, SURENESS, confidence=proposal.confidence)
        notes = f"{tr(locale, KIND_WORDS[proposal.kind])}, {sureness}"
    return f"`#{proposal.id}` {_owner(proposal, locale)}: {words} *({notes})*"


def _owner(proposal: Memory, locale: discord.Locale) -> str:
    """Return whose a memory is: a member's, or the server's own."""
    user_id = proposal.member.user_id
    return tr(locale, OF_SERVER) if user_id == SERVER_USER_ID else f"<@{user_id}>"
