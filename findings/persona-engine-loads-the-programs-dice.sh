#!/bin/sh
# persona-engine 0.1.0 (PyPI, CPython 3.11), which makes personas for models: the same seed, the same persona. The seed
# is given to the random numbers of the whole program: each die that is thrown after a persona was made shows the same,
# for every one who asks for that persona. "MBTI driven traits" are not driven by it: of 1,000 personas 57 are both
# introverted and extroverted, 275 are extroverted with an I or the other way around, and 805 live in a city that is in
# another country, as in New York, Germany. What the README says that generate_persona takes, overrides and
# extra_traits, it does not.
# Source: the README ("Deterministic by seed", "MBTI driven traits", "Override and extension hooks");
# persona_engine/generator.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "persona-engine==0.1.0"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
import random

from persona_engine import generate_persona

COUNTRY_OF = {
    "New York": "United States",
    "Austin": "United States",
    "Seattle": "United States",
    "London": "United Kingdom",
    "Berlin": "Germany",
    "Toronto": "Canada",
    "Mumbai": "India",
}
for _ in range(3):
    generate_persona(seed=42)
    print("a die after persona 42:", random.randint(1, 6), "a secret word:", random.choice(["tea", "rye", "oak"]))
both, against, abroad = [], [], []
for seed in range(1000):
    persona = generate_persona(seed=seed)
    traits = {"introverted": "I", "extroverted": "E"}
    letters = {traits[trait] for trait in persona.personality_traits if trait in traits}
    both += [seed] * (len(letters) == 2)
    against += [seed] * (letters not in (set(), {persona.mbti.type_code[0]}))
    city, country = persona.location.split(", ")
    abroad += [seed] * (COUNTRY_OF[city] != country)
print("introverted and extroverted:", len(both), "against the letter:", len(against), "in another country:", len(abroad))
persona = generate_persona(seed=both[0])
print(persona.mbti.type_code, persona.personality_traits, persona.location)
try:
    generate_persona(seed=1234, overrides={"occupation": "blacksmith"})
except TypeError as error:
    print(error)
PY
cat >expected <<'TEXT'
a die after persona 42: 3 a secret word: rye
a die after persona 42: 3 a secret word: rye
a die after persona 42: 3 a secret word: rye
introverted and extroverted: 57 against the letter: 275 in another country: 805
INFP ['extroverted', 'logical', 'introverted'] New York, Germany
generate_persona() got an unexpected keyword argument 'overrides'
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
