"""Composes a recall from what was loaded and a recall policy.

It changes nothing, so any thread can run it, and the shadow and replays can repeat it with another
policy.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import islice

import numpy as np

from utils.common.text import estimate_tokens
from utils.llm.token_calibration import TokenCalibration
from utils.memory.consolidation import profile
from utils.memory.policy.recall_policy import RecallPolicy, statement_share
from utils.memory.policy.write_policy import has_faded
from utils.memory.recall import channel_context, prompt_block
from utils.memory.recall.channel_context import NO_PAST_EPISODES, PastEpisodes, RecallRequest
from utils.memory.recall.person_recall import PersonRecall, best_first, merge_accounts
from utils.memory.recall.prepared_cache import LoadedMemory, PreparedMember
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.memory.recall.ranking import MAX_PER_KIND, find_matches, rank_linked
from utils.models.episode import LoopKind, LoopState, OpenLoop, Summary
from utils.models.guild import GuildSettings
from utils.models.memory import (
    SERVER_USER_ID,
    Consent,
    Event,
    Form,
    Kind,
    Member,
    MemberHeader,
    Memory,
    Profile,
    Role,
)
from utils.models.policy import WriteMode, WritePolicy
from utils.models.provenance import Provenance, SourceKind, SourceRef, SourceRole
from utils.models.recall import (
    Omission,
    Omissions,
    Person,
    Ranked,
    RankedMatches,
    Recall,
    Said,
)
from utils.nlp.confidential import is_confidential


@dataclass(frozen=True, slots=True)
class Material:
    """Everything one recall is made of: the request, the people, and what was loaded."""

    request: RecallRequest
    about: Mapping[Member, Person]
    loaded: LoadedMemory
    past: PastEpisodes
    turns: Sequence[Event]
    settings: GuildSettings

    def __len__(self) -> int:
        return sum(len(prepared) for _, prepared in self.loaded.people.values())

    @property
    def uses_episodes(self) -> bool:
        """Whether summaries may be used: they hold what no moderator approved."""
        return self.settings.write_mode is WriteMode.AUTO


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that apply under every recall policy."""

    write_policy: WritePolicy = field(default_factory=WritePolicy)
    may_tell: Callable[[str], bool] = prompt_block.allow_all
    is_settled: Callable[[OpenLoop, datetime], bool] = field(default=lambda loop, now: False)
    calibration: TokenCalibration = field(default_factory=TokenCalibration)


def compose(
    material: Material, read_policy: RecallPolicy, rules: Rules, cuts: Omissions | None = None
) -> Recall:
    """Return what fits the request and the budget; ``cuts`` records what is left out, and why."""
    request, loaded, past = material.request, material.loaded, material.past
    cuts = Omissions() if cuts is None else cuts
    recalled: dict[Member, PersonRecall] = {}
    loops: list[OpenLoop] = []
    matches_by_user: dict[int, RankedMatches] = {}
    speaker = None if request.speaks_first else next(iter(material.about), None)
    speaking = loaded.speaking(speaker)
    for member, person in material.about.items():
        parts = []
        for account in loaded.accounts(member):
            header, prepared = loaded.people[account]
            if (header.consent or material.settings.consent_default) is not Consent.OFF:
                matches = rank_person(header, prepared, material, read_policy, rules.write_policy)
                is_own = account in speaking
                if not is_own:  # what they say in confidence is for them alone
                    matches = _told_openly(matches, prepared, cuts)
                may_recall = partial(_may_recall, request, rules.write_policy, is_own=is_own)
                matches = _with_successors(matches, prepared.rows.outdated, may_recall, cuts)
                matches_by_user[account.user_id] = matches
                parts.append(
                    _person_recall(
                        person, header, prepared, matches, request, read_policy, may_recall
                    )
                )
                if is_own and not header.ignored:
                    loops += (
                        loop
                        for loop in prepared.loops
                        if loop.state is LoopState.OPEN and loop.kind is not LoopKind.REMINDER
                    )
        person_recall = replace(
            merge_accounts(parts, person.name), others=_others(material, loaded.accounts(member))
        )
        if person_recall.has_content:
            recalled[member] = person_recall
    context = prompt_block.BlockContext(
        request.now, request.zone, read_policy, rules.may_tell, cuts
    )
    of_server = {
        kind: channel_context.matching_of_server(
            loaded.server, kind, request, read_policy, rules.write_policy
        )
        for kind in (
            (Kind.LORE, Kind.SERVER_FACT) if material.settings.lore else (Kind.SERVER_FACT,)
        )
    }
    lore = prompt_block.server_section(
        of_server.get(Kind.LORE, ()), of_server[Kind.SERVER_FACT], context
    )
    budget_tokens = rules.calibration.room(read_policy.block_tokens)
    conversation = _conversation_section(material, loops, context, rules)
    budget_tokens -= sum(
        estimate_tokens(f"\n{text}") for text in (lore.text, conversation.text) if text
    )
    budgets = prompt_block.split_budget(len(recalled), budget_tokens)
    sections = [
        prompt_block.person_section(person_recall, context, budget)
        for person_recall, budget in zip(recalled.values(), budgets, strict=True)
    ]
    sections.append(lore)
    current = (
        channel_context.running_episode(past, request, material.turns)
        if material.uses_episodes
        else None
    )
    now_line = prompt_block.now_line(current, context)
    about_ids = dict.fromkeys((*loaded.user_ids(recalled), *conversation.about_ids))
    if current is not None and now_line:
        about_ids |= dict.fromkeys(current.about_ids)
    return Recall(
        block="\n".join(
            text for text in (*(section.text for section in sections), conversation.text) if text
        ),
        rows=tuple(row for section in sections for row in section.rows),
        about_ids=(*about_ids, *((SERVER_USER_ID,) if lore.text else ())),
        quotes=tuple(quote for section in sections for quote in section.said),
        matches_by_user=matches_by_user,
        now=now_line,
        loops=conversation.loops,
        provenance=_provenance(
            [*sections, lore],
            recalled.values(),
            conversation.loops,
            conversation.episodes,
            current if now_line else None,
        ),
    )


def _others(material: Material, accounts: Collection[Member]) -> frozenset[str]:
    """Return the names of the people in sight but for the one with these accounts."""
    others = {person.name for member, person in material.about.items() if member not in accounts}
    user_ids = {account.user_id for account in accounts}
    turns = (turn for turn in material.turns if turn.role is Role.MEMBER)
    return frozenset(
        others.union(turn.author_name for turn in turns if turn.author_id not in user_ids)
    )


def _provenance(
    sections: Sequence[prompt_block.PromptSection],
    people: Iterable[PersonRecall],
    loops: Sequence[OpenLoop],
    episodes: Sequence[Summary],
    current: Summary | None,
) -> Provenance:
    """Return the memories, messages and episodes that a block and the line "Now" hold."""
    memory_ids = [row.id for section in sections for row in section.rows]
    memory_ids += [row_id for person in people for row_id in person.profile_ids]
    quotes = [quote for section in sections for quote in section.said]
    going_on = (
        [SourceRef(SourceKind.EPISODE, current.episode_id, SourceRole.SAID)] if current else []
    )
    return Provenance(
        sources=(
            *(SourceRef(SourceKind.MEMORY, row_id) for row_id in dict.fromkeys(memory_ids)),
            *(SourceRef(SourceKind.MESSAGE, quote.message_id) for quote in quotes),
            *(SourceRef(SourceKind.MESSAGE, loop.message_id) for loop in loops),
            *(SourceRef(SourceKind.EPISODE, summary.episode_id) for summary in episodes),
            *going_on,
        ),
        event_ids=tuple(quote.event_id for quote in quotes if quote.event_id > 0),
        loops=tuple((loop.id, loop.message_id) for loop in loops),
    )


def _conversation_section(
    material: Material, loops: Sequence[OpenLoop], context: prompt_block.BlockContext, rules: Rules
) -> prompt_block.ConversationSection:
    """Return the section of open loops and matching past episodes."""
    request, loaded = material.request, material.loaded
    names = {
        account: person.name
        for member, person in material.about.items()
        for account in loaded.accounts(member)
    }
    if not names:  # recall is switched off here
        return prompt_block.ConversationSection()
    due = [
        loop
        for loop in channel_context.due_open_loops(loops, request)
        if not rules.is_settled(loop, request.now)
        and (loop.kind is LoopKind.ASK or material.uses_episodes)
    ]
    past = material.past if material.uses_episodes else NO_PAST_EPISODES
    return prompt_block.conversation_section(
        [(names[loop.member], loop) for loop in due],
        channel_context.past_episodes(past, request, context.policy, material.turns),
        request.query.stems,
        context,
    )


def rank_person(
    header: MemberHeader,
    prepared: PreparedMember,
    material: Material,
    read_policy: RecallPolicy,
    write_policy: WritePolicy,
    *,
    is_limited: bool = True,
) -> RankedMatches:
    """Return one person's memories and messages that this audience may see, ranked.

    No messages if the person is ignored, and nothing if all that matches is hardly related.
    Without ``is_limited``, every candidate.
    """
    request, mode = material.request, material.settings.write_mode
    query, now, zone = request.query, request.now, request.zone
    recallable = prepared.recallable(request.audience.sources, now, write_policy)
    usable = prepared.usable_messages(request.audience.sources, now, request.excluded_ids, mode)
    usable &= not header.ignored
    found = find_matches(
        prepared.corpus,
        query,
        np.concatenate([recallable, usable]),
        read_policy,
        zone=zone,
        similarities=(request.similarities.rows, request.similarities.events),
    )
    if is_limited and not found.is_related:
        return RankedMatches()
    rows, messages = rank_linked(found, read_policy, is_limited=is_limited)
    return RankedMatches(tuple(rows), tuple(messages))


def _told_openly(
    matches: RankedMatches, prepared: PreparedMember, cuts: Omissions
) -> RankedMatches:
    """Return the matches that may be repeated to others than their author."""
    rows: list[Ranked[Memory]] = []
    for match in matches.rows:
        if is_confidential(match.row.text, match.row.stems):
            cuts.note(match.row, Omission.UNFIT)
        else:
            rows.append(match)
    messages: list[Ranked[Said]] = []
    for said in matches.messages:
        if _is_in_confidence(said.row, prepared):
            cuts.note(said.row, Omission.UNFIT)
        else:
            messages.append(said)
    return RankedMatches(tuple(rows), tuple(messages))


def _with_successors(
    matches: RankedMatches,
    outdated: Mapping[int, Memory],
    may_recall: Callable[[Memory], bool],
    cuts: Omissions,
) -> RankedMatches:
    """Return the matches with each outdated message's newer memory in its place.

    ``outdated`` has the newer memory by the message's id. A message stays if this audience may not
    hear of that memory.
    """
    kept: list[Ranked[Said]] = []
    successors: dict[int, Ranked[Memory]] = {}
    for match in matches.messages:
        successor = None if match.row.label else outdated.get(match.row.message_id)
        if successor is None or not may_recall(successor):
            kept.append(match)
            continue
        successors.setdefault(successor.id, Ranked(successor, match.score))
        cuts.note(match.row, Omission.OUTDATED)
    if not successors:
        return matches
    ranked_ids = {match.row.id for match in matches.rows}
    new = [match for row_id, match in successors.items() if row_id not in ranked_ids]
    return RankedMatches(best_first((*matches.rows, *new)), tuple(kept))


def _is_in_confidence(message: Said, prepared: PreparedMember) -> bool:
    """Return whether a message, or the one that a text came with, asks not to be repeated."""
    messages = [message]
    if message.label:
        messages += prepared.said.with_message_ids([message.message_id])
    return any(is_confidential(related.text, related.stems) for related in messages)


def _person_recall(
    person: Person,
    header: MemberHeader,
    prepared: PreparedMember,
    matches: RankedMatches,
    request: RecallRequest,
    read_policy: RecallPolicy,
    may_recall: Callable[[Memory], bool],
) -> PersonRecall:
    """Return what this audience may see of one person, by layer."""
    paragraph = paragraph_for(header.profile, prepared.rows, may_recall)
    told = prepared.rows.with_ids(paragraph.row_ids)
    facts = [row for row in told if row.fact_key and row.kind is Kind.FACT]
    counts = Counter(row.fact_key for row in facts)
    # Rivals say the same attribute; the paragraph has no dates, so each is told with its own.
    rivals = [row for row in facts if counts[row.fact_key] > 1]
    profile_ids = frozenset(paragraph.row_ids).difference(row.id for row in rivals)
    relevant = [match for match in matches.rows if match.row.id not in profile_ids]
    shown_ids = profile_ids.union(match.row.id for match in relevant)
    recent = (
        row
        for row in prepared.rows.newest
        if row.form is Form.NOTE
        and row.id not in shown_ids
        and row.kind is not Kind.CONSTRAINT
        and may_recall(row)
    )
    return PersonRecall(
        name=person.name,
        profile=paragraph.text,
        constraints=tuple(islice(filter(may_recall, prepared.rows.constraints), MAX_PER_KIND)),
        relevant=tuple(match for match in relevant if match.row.kind is not Kind.CONSTRAINT),
        recent=(
            *(row for row in rivals if row.id not in shown_ids),
            *islice((row for row in recent if row not in rivals), read_policy.most_recent),
        ),
        said=matches.messages,
        messages=prepared.rows.messages,
        query_stems=request.query.stems,
        profile_ids=paragraph.row_ids,
        statement_share=statement_share(request.query.telling),
    )


def paragraph_for(
    stored: Profile, rows: PreparedMemories, may_recall: Callable[[Memory], bool]
) -> Profile:
    """Return the profile as this audience may hear it.

    Mostly it is the stored one: only the rows that it names are looked at then.
    """
    named = list(filter(may_recall, rows.with_ids(stored.row_ids)))
    if stored.text and profile.readable(stored, named) is stored:
        return stored
    return profile.render(filter(may_recall, rows))


def _may_recall(
    request: RecallRequest, write_policy: WritePolicy, row: Memory, *, is_own: bool
) -> bool:
    """Whether a memory may be told here: to its member (``is_own``) also what is confidential."""
    return (
        row.channel_id in request.audience.sources
        and row.is_live(request.now)
        and not has_faded(row, request.now, write_policy)
        and (is_own or not is_confidential(row.text, row.stems))
    )
