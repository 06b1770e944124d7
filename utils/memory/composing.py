"""What was loaded + a read policy -> what is recalled. Changes nothing, so that any thread may do
it, and as often as one likes: the same is recalled by another policy in the shadow and in replay.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

from utils.memory import common_ground, envelope, policy
from utils.memory.common_ground import Asked, Past
from utils.memory.policy import ReadPolicy, WritePolicy
from utils.memory.prepared import Loaded, Prepared, paragraph_for
from utils.memory.ranking import rank
from utils.model.episode import OpenLoop
from utils.model.guild import GuildSettings
from utils.model.memory import SERVER_ITSELF, Consent, Event, Kind, Member, Memory, Standing
from utils.model.recall import Cuts, Fitting, Person, Recall
from utils.text import estimate_tokens
from utils.token_calibration import TokenCalibration


@dataclass(frozen=True, slots=True)
class Material:
    """All that one recall is made of: what was asked about whom, and what one read brought."""

    asked: Asked
    about: Mapping[Member, Person]
    loaded: Loaded
    past: Past
    turns: Sequence[Event]
    settings: GuildSettings

    def __len__(self) -> int:
        return sum(len(one) for _, one in self.loaded.people.values())


@dataclass(frozen=True, slots=True)
class Rules:
    """What holds whichever read policy does: what may be told, and what was brought up already."""

    write_policy: WritePolicy = field(default_factory=WritePolicy)
    may_tell: Callable[[str], bool] = envelope.anything
    is_raised: Callable[[OpenLoop], bool] = field(default=lambda loop: False)
    calibration: TokenCalibration = field(default_factory=TokenCalibration)


def compose(
    material: Material, read_policy: ReadPolicy, rules: Rules, cuts: Cuts | None = None
) -> Recall:
    """Choose and write down what fits; ``cuts`` is told what the budget left out, and why."""
    asked, loaded, past = material.asked, material.loaded, material.past
    found: dict[Member, envelope.Known] = {}
    loops: list[OpenLoop] = []
    fitting: dict[int, Fitting] = {}
    speaking = loaded.speaking(next(iter(material.about), None))
    for member, person in material.about.items():
        parts = []
        for account in loaded.accounts(member):
            standing, one = loaded.people[account]
            if (standing.consent or material.settings.consent_default) is not Consent.OFF:
                fits = _fitting(standing, one, asked, read_policy, rules)
                fitting[account.user_id] = fits
                parts.append(_known(person, standing, one, fits, asked, read_policy, rules))
                if account in speaking and not standing.ignored:
                    loops += one.loops
        known = envelope.joined(parts, person.name)
        if known.is_anything:
            found[member] = known
    lore = envelope.lore_block(
        common_ground.lore_that_fits(loaded.server, asked, read_policy, rules.write_policy),
        asked.now,
        asked.zone,
        read_policy,
        rules.may_tell,
        is_alone=not found,
    )
    room = rules.calibration.room(read_policy.block_tokens)
    talk = _talk(material, loops, read_policy, rules)
    room -= sum(estimate_tokens(f"\n{text}") for text in (lore.text, talk.text) if text)
    budgets = envelope.split_budget(len(found), read_policy, room)
    blocks = [
        envelope.block(known, asked.now, asked.zone, read_policy, budget, rules.may_tell, cuts)
        for known, budget in zip(found.values(), budgets, strict=True)
    ]
    blocks.append(lore)
    now_open = common_ground.goes_on(past, asked, material.turns)
    now_line = envelope.now_line(now_open, read_policy, rules.may_tell)
    about_ids = dict.fromkeys((*loaded.user_ids(found), *talk.about_ids))
    if now_open is not None and now_line:
        about_ids |= dict.fromkeys(now_open.about_ids)
    return Recall(
        block="\n".join(text for text in (*(one.text for one in blocks), talk.text) if text),
        rows=tuple(row for one in blocks for row in one.rows),
        about_ids=(*about_ids, *((SERVER_ITSELF,) if lore.text else ())),
        said=tuple(quote for one in blocks for quote in one.said),
        fitting=fitting,
        now=now_line,
        loops=talk.loops,
    )


def _talk(
    material: Material, loops: Sequence[OpenLoop], read_policy: ReadPolicy, rules: Rules
) -> envelope.Talk:
    """Write what is open of the people concerned, and which past chapters fit."""
    asked, loaded = material.asked, material.loaded
    names = {one: who.name for each, who in material.about.items() for one in loaded.accounts(each)}
    if not names:  # recall is switched off here
        return envelope.Talk()
    waiting = [one for one in common_ground.open_here(loops, asked) if not rules.is_raised(one)]
    return envelope.talk_block(
        [(names[one.member], one) for one in waiting],
        common_ground.earlier(material.past, asked, read_policy, material.turns),
        frozenset(stem for word in asked.query.words for stem in word),
        asked.now,
        asked.zone,
        read_policy,
        rules.may_tell,
    )


def _fitting(
    standing: Standing, one: Prepared, asked: Asked, read_policy: ReadPolicy, rules: Rules
) -> Fitting:
    """Rank what this audience may hear of one person."""
    query, now, zone = asked.query, asked.now, asked.zone
    rows = rank(
        one.rows,
        query,
        one.rows.recallable(asked.audience.sources, now, rules.write_policy),
        now,
        read_policy,
        zone=zone,
        similarities=asked.similarities.rows,
    )
    if standing.ignored:
        return Fitting(tuple(rows))
    said = rank(
        one.said,
        query,
        one.said.readable(asked.audience.sources, now, but=asked.shown | {-asked.but}),
        now,
        read_policy,
        zone=zone,
        similarities=asked.similarities.events,
        in_context=True,
    )
    return Fitting(tuple(rows), tuple(said))


def _known(
    person: Person,
    standing: Standing,
    one: Prepared,
    fits: Fitting,
    asked: Asked,
    read_policy: ReadPolicy,
    rules: Rules,
) -> envelope.Known:
    """Sort what this audience may hear of one person into layers."""
    may_recall = partial(_may_recall, asked, rules.write_policy)
    paragraph = paragraph_for(standing.profile, one.rows, may_recall)
    relevant = [each for each in fits.rows if each.row.id not in paragraph.row_ids]
    told = {*paragraph.row_ids, *(each.row.id for each in relevant)}
    recent = (
        row
        for row in one.rows.newest
        if row.id not in told and row.kind is not Kind.CONSTRAINT and may_recall(row)
    )
    return envelope.Known(
        name=person.name,
        profile=paragraph.text,
        constraints=tuple(filter(may_recall, one.rows.constraints)),
        relevant=tuple(each for each in relevant if each.row.kind is not Kind.CONSTRAINT),
        recent=tuple(islice(recent, read_policy.most_recent)),
        said=fits.said,
        messages=one.rows.messages,
        wanted=frozenset(stem for word in asked.query.words for stem in word),
    )


def _may_recall(asked: Asked, write_policy: WritePolicy, row: Memory) -> bool:
    return (
        row.channel_id in asked.audience.sources
        and row.is_live(asked.now)
        and not policy.has_faded(row, asked.now, write_policy)
    )
