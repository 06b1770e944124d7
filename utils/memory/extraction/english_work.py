"""Rules of English clauses about work, studies and programming. Pure."""

import re

from utils.memory.extraction.english_objects import REST, WORDS, Cut, fixed, object_of, plain
from utils.memory.extraction.facts import Fact, Rule, Topic, is_one_of, lists_only

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


def _is_field(phrase: str) -> bool:
    is_known = is_one_of(re.split(r" (?:for|at) ", phrase)[0], WORDS.workplaces)
    return is_known or re.match(r"an? \w", phrase) is not None


def _is_position(phrase: str) -> bool:
    words = re.split(r" (?:at|of|in|for) ", phrase)[0].split()
    return any(is_one_of(" ".join(words[-count:]), WORDS.occupations) for count in (1, 2))


_IS_STUDIED = lists_only(WORDS.studies, " and |, ", " (?:at|in|with) ")
WORK_RULES = (
    Rule(r"I (?:work|am working) as (?P<what>(?:an?|the|head|"
         r"chief)\s.+)", plain("works as", "job {}", Topic.WORK, cut=Cut.CLAUSES)),
    Rule(r"I (?:work|am working) (?P<what>(?:nights|days|evenings|weekends|shifts|night shifts) "
         r"as an? .+)", plain("works", "job {}", Topic.WORK, cut=Cut.CLAUSES)),
    Rule(r"I (?:work|am working) nights?(?: at (?P<what>.+))?", _works_nights),
    Rule(r"I (?:work|am working) (?:at|for) (?P<what>(?!(?:free|fun|money|nothing)\b).+)",
         plain("works at", "workplace {}", Topic.WORK, cut=Cut.CLAUSES)),
    Rule(r"I (?:work|am working) in (?P<what>.+)",
         plain("works in", "workplace {}", Topic.WORK, cut=Cut.CLAUSES, is_known=_is_field)),
    Rule(r"I work from home" + REST, fixed("works from home", "workplace", Topic.WORK)),
    Rule(r"I got (?:the|a|my) (?:new )?job (?P<what>(?:at|as) "
         r".+)", plain("got a job", "got job {}", Topic.WORK, cut=Cut.TIMES)),
    Rule(r"I started (?:a new job|working|work) (?P<what>(?:at|as) "
         r".+)", plain("started working", "job {}", Topic.WORK, cut=Cut.TIMES)),
    Rule(r"I (?:started|have started) (?:my |an? )?(?:new )?(?:job|internship|apprenticeship|"
         r"traineeship) (?P<what>(?:at|as|with) .+)",
         plain("started a job", "job {}", Topic.WORK, cut=Cut.TIMES)),
    Rule(r"I (?:got|was|have been|got myself) promoted to (?P<what>.+)",
         plain("was promoted to", "job {}", Topic.WORK, cut=Cut.TIMES, is_known=_is_position)),
    Rule(r"I (?:quit|left) my (?P<what>(?:\w+ )?job(?: (?:at|as) .+)?)",
         plain("quit their", "left job {}", Topic.WORK, cut=Cut.TIMES)),
    Rule(r"I (?:study|am studying) (?P<what>.+)",
         plain("studies", "studies {}", Topic.STUDIES, cut=Cut.CLAUSES, is_known=_IS_STUDIED)),
    Rule(r"I studied (?P<what>.+)",
         plain("studied", "studies {}", Topic.STUDIES, cut=Cut.CLAUSES, is_known=_IS_STUDIED)),
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
    Rule(r"I (?:(?:have been|am) (?:coding|programming|developing)|code|program) in (?P<what>.+)",
         plain("codes in", "codes in {}", Topic.SKILLS, limit=4,
               is_known=lists_only(WORDS.learnable, ", | and "))),
)  # fmt: skip
