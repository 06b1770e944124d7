"""Conversation on Discord: answers messages, follows edits and deletions, deletes its answers."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cogs.bot.client import KithClient


async def setup(bot: "KithClient") -> None:
    """Load the cogs of this feature."""
    from cogs.chat.answer_removals import AnswerRemovalWorker
    from cogs.chat.broken_answers import BrokenAnswers
    from cogs.chat.chat import Chat
    from cogs.chat.delete_answer import Answers
    from cogs.chat.deletions import DeletionHandler
    from cogs.chat.member_names import KnownNames
    from cogs.chat.note_marks import NoteMarkWorker
    from cogs.chat.turns import TurnBuilder

    turns = TurnBuilder(bot)
    chat = bot.chat = Chat(bot, turns)
    bot.deletions = DeletionHandler(bot, turns, chat)
    await bot.add_cogs(
        KnownNames(bot.app.guilds.members),
        chat,
        BrokenAnswers(bot, chat),
        bot.deletions,
        Answers(bot, chat.running),
        AnswerRemovalWorker(bot, chat.delivery.private),
        NoteMarkWorker(bot, chat),
    )
