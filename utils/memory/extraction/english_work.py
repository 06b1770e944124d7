"""Rules of English clauses about work, studies and programming. Pure."""

import re

from utils.memory.extraction.english_objects import REST, WORDS, Cut, fixed, object_of, plain
from utils.memory.extraction.facts import Fact, Rule, Topic, is_one_of

_IN_PLAY = re.compile(
    r"\b(?:dreams?|in my head|in my mind|another life|past life|next life|at heart|in disguise|"
    r"halloween|wannabe|basically|today|apparently|now according)\b",
    re.IGNORECASE,
)


def _works_as(match: re.Match[str]) -> Fact | None:
    first = object_of(re.split(r",? (?:and|but) ", match["what"])[0], cut=Cut.CLAUSES)
    # "a nurse and the night shifts are killing me"
    phrase = object_of(match["what"], cut=Cut.CLAUSES) or first
    if phrase is None or _IN_PLAY.search(match["what"]):
        return None
    core = re.split(r" (?:at|for|in|with|from|on|by|near) ", phrase)[0].split()
    heads = [" ".join(core[-2:]), core[-1]] if core else []
    return Fact(f"is {match['article']} {phrase}", f"job {phrase}", Topic.WORK) if any(
        is_one_of(head, WORDS.occupations) for head in heads) else None  # fmt: skip


def _works_nights(match: re.Match[str]) -> Fact:
    phrase = object_of(match["what"], cut=Cut.CLAUSES) if match["what"] else None
    return Fact("works nights" + (f" at {phrase}" if phrase else ""), "working hours", Topic.WORK)


def _works_in(match: re.Match[str]) -> Fact | None:
    phrase = object_of(match["what"], cut=Cut.CLAUSES)
    is_field = phrase is not None and (
        is_one_of(re.split(r" (?:for|at) ", phrase)[0], WORDS.workplaces)
        or re.match(r"an? \w", phrase) is not None
    )
    return Fact(f"works in {phrase}", f"workplace {phrase}", Topic.WORK) if is_field else None


def _promoted(match: re.Match[str]) -> Fact | None:
    phrase = object_of(match["what"], cut=Cut.TIMES)
    role = re.split(r" (?:at|of|in|for) ", phrase)[0] if phrase else ""
    tails = [" ".join(role.split()[-count:]) for count in (1, 2)]
    is_known = any(is_one_of(tail, WORDS.occupations) for tail in tails)
    return Fact(f"was promoted to {phrase}", f"job {phrase}", Topic.WORK) if is_known else None


def _studies(match: re.Match[str]) -> Fact | None:
    phrase = object_of(match["what"], cut=Cut.CLAUSES)
    core = re.split(r" (?:at|in|with) ", phrase)[0] if phrase else ""
    is_known = phrase is not None and all(
        is_one_of(part, WORDS.studies) for part in re.split(r" and |, ", core)
    )
    verb = "studied" if "studied" in match[0][:12].casefold() else "studies"
    return Fact(f"{verb} {phrase}", f"studies {phrase}", Topic.STUDIES) if is_known else None


def _codes(match: re.Match[str]) -> Fact | None:
    phrase = object_of(match["what"], 4)
    is_known = phrase is not None and all(
        is_one_of(part, WORDS.learnable) for part in re.split(r", | and ", phrase)
    )
    return Fact(f"codes in {phrase}", f"codes in {phrase}", Topic.SKILLS) if is_known else None


WORK_RULES = (
    Rule(r"I (?:work|am working) as (?P<what>(?:an?|the|head|"
         r"chief)\s.+)", plain("works as", "job {}", Topic.WORK, cut=Cut.CLAUSES)),
    Rule(r"I (?:work|am working) (?P<what>(?:nights|days|evenings|weekends|shifts|night shifts) "
         r"as an? .+)", plain("works", "job {}", Topic.WORK, cut=Cut.CLAUSES)),
    Rule(r"I (?:work|am working) nights?(?: at (?P<what>.+))?", _works_nights),
    Rule(r"I (?:work|am working) (?:at|for) (?P<what>(?!(?:free|fun|money|nothing)\b).+)",
         plain("works at", "workplace {}", Topic.WORK, cut=Cut.CLAUSES)),
    Rule(r"I (?:work|am working) in (?P<what>.+)", _works_in),
    Rule(r"I work from home" + REST, fixed("works from home", "workplace", Topic.WORK)),
    Rule(r"I got (?:the|a|my) (?:new )?job (?P<what>(?:at|as) "
         r".+)", plain("got a job", "got job {}", Topic.WORK, cut=Cut.TIMES)),
    Rule(r"I started (?:a new job|working|work) (?P<what>(?:at|as) "
         r".+)", plain("started working", "job {}", Topic.WORK, cut=Cut.TIMES)),
    Rule(r"I (?:started|have started) (?:my |an? )?(?:new )?(?:job|internship|apprenticeship|"
         r"traineeship) (?P<what>(?:at|as|with) .+)",
         plain("started a job", "job {}", Topic.WORK, cut=Cut.TIMES)),
    Rule(r"I (?:got|was|have been|got myself) promoted to (?P<what>.+)", _promoted),
    Rule(r"I (?:quit|left) my (?P<what>(?:\w+ )?job(?: (?:at|as) .+)?)",
         plain("quit their", "left job {}", Topic.WORK, cut=Cut.TIMES)),
    Rule(r"I (?:study|am studying|studied) (?P<what>.+)", lambda match: _studies(match)),
    Rule(r"I am (?P<article>an?) (?P<what>.+)", _works_as),
    Rule(r"I have been (?P<article>an?) (?P<what>.+ (?:for [\w ]{1,20}"
         r"(?:years?|months?|ages|decades?)|since .+))", _works_as),
    Rule(r"I teach (?!(?:my|them|people)\b)(?P<what>.+)",
         plain("teaches", "teaches {}", Topic.WORK, limit=6, cut=Cut.CLAUSES)),
    Rule(r"I (?:do|work) (?P<what>(?:night|day|late|early|double|graveyard) shifts.*)",
         plain("works", "working hours", Topic.WORK, cut=Cut.CLAUSES)),
    Rule(r"I am (?P<what>between jobs|out of work|job hunting)" + REST,
         plain("is", "employment", Topic.WORK)),
    Rule(r"I am in (?P<what>my (?:first|second|third|fourth|fifth|final|last) (?:year|semester) "
         r"(?:of|at|in) .+)", plain("is in", "studies", Topic.STUDIES, cut=Cut.CLAUSES)),
    Rule(r"I run (?P<what>an? .+)", plain("runs", "runs {}", Topic.WORK, limit=7, cut=Cut.CLAUSES)),
    Rule(r"I am (?P<what>retired|unemployed|self-employed)" + REST,
         plain("is", "employment", Topic.WORK)),
    Rule(r"I (?:have been|am) (?:coding|programming|developing) in (?P<what>.+)", _codes),
    Rule(r"I (?:code|program) in (?P<what>.+)", _codes),
)  # fmt: skip
