"""Builds every service from the settings, in one place.

bot.py builds an :class:`App` once and hands it to an edge: Discord, the terminal, the dashboard or
a command.
"""

from collections.abc import Collection

from utils.app import App
from utils.common.clock import Clock
from utils.common.config import Settings
from utils.conversation.conversation import Conversation
from utils.conversation.speaking_first import SpeakingFirst
from utils.conversation.tools import ChatTools
from utils.llm.client import LanguageModel
from utils.memory.verification.candidate_verifier import CandidateVerifier
from utils.memory.verification.model_verifier import ModelVerifier
from utils.services import (
    AdminServices,
    GuildServices,
    MemoryServices,
    RecallPolicyServices,
    RuntimeServices,
    SentimentServices,
    build_mcp,
)


def build(
    settings: Settings,
    clock: Clock,
    *,
    origins: Collection[str] = (),
    page_addresses: Collection[tuple[str, int]] = (),
    model: LanguageModel | None = None,
) -> App:
    """Build every service. Raises KithError when a setting makes no sense.

    Args:
        origins: further addresses that attachments may be fetched from: a test's own Discord.
        page_addresses: addresses and ports of sites to read besides public ones: a test's own.
        model: used instead of the one in the settings: the demo's.
    """
    base = RuntimeServices(settings, clock, model)
    policies, guilds = RecallPolicyServices(base), GuildServices(base)
    model_verifier = None if base.model is None else ModelVerifier(base.model, base.budget)
    verifier = CandidateVerifier(model_verifier, clock, base.metrics, guilds.members)
    memory = MemoryServices(base, verifier, policies.shadow, origins, page_addresses)
    mcp = build_mcp(base)
    tools = ChatTools(
        memory.editor,
        memory.member_data,
        memory.loops,
        memory.search,
        clock,
        memory.reader,
        memory.reminders,
        mcp,
        memory.links,
        base.rules.forbidden,
        guilds.who_else,
    )
    return App(
        settings=settings,
        clock=clock,
        database=base.database,
        model=base.model,
        runtime=base,
        memory=memory,
        policies=policies,
        guilds=guilds,
        conversation=Conversation(
            memory.recorder,
            memory.reader,
            tools,
            guilds.personas,
            base.budget,
            base.model,
            clock,
            base.metrics,
            attachments=memory.attachments,
            link_reader=memory.links,
            links=settings.answer_links,
        ),
        speaking=SpeakingFirst(
            base.infrastructure, base.rules, memory.reader, base.model, base.budget, guilds.members
        ),
        sentiment=SentimentServices(base, verifier, guilds.settings),
        admin=AdminServices(base, guilds, memory),
        mcp=mcp,
    )
