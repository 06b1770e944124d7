#!/bin/sh
# japyconjugator 1.1.0 (PyPI, CPython 3.11), which inflects Japanese verbs and adjectives for learners. Each verb that ends in
# -ru like "eat" gets one -ru too many where it can be done: 食べられるる for 食べられる. The commonest words come wrong: "went" is 行いた
# instead of 行った, "is not there" あらない instead of ない, "is not good" いくない instead of よくない, and "not cool" かっこいくない. "Asked" is
# 問った instead of 問うた. For する and 来る there is no class, and neither of the two that there are fits: "did" is すた or すった. Nothing
# is refused.
# Source: the README, "A python package for conjugating verbs and adjectives in the Japanese language", whose own example
# (verbs.VerbForm, verbs.Polarity) names what the wheel does not have; any grammar of Japanese on the exceptions among the
# verbs of five rows (行く, ある, 問う) and on いい. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "japyconjugator==1.1.0"
cd "$folder"
cat >inflect.py <<'PY'
from japyconjugator import adjectives, verbs

godan, ichidan, i_adjective = verbs.VerbClass.Godan, verbs.VerbClass.Ichidan, adjectives.AdjectiveClass.I
print("drank:", verbs.plainpast_affirmative("飲む", godan))
print("went:", verbs.plainpast_affirmative("行く", godan), verbs.teform_positive("行く", godan))
print("is not there:", verbs.plain_negative("ある", godan), verbs.plainpast_negative("ある", godan))
print("asked:", verbs.plainpast_affirmative("問う", godan))
print("can eat:", verbs.potential("食べる", ichidan))
print("did:", verbs.plainpast_affirmative("する", ichidan), verbs.plainpast_affirmative("する", godan))
for word in ("暑い", "いい", "かっこいい"):
    print(word, "not:", adjectives.plain_negative(word, i_adjective), adjectives.plainpast_affirmative(word, i_adjective))
print("as in the README:", hasattr(verbs, "VerbForm"), hasattr(verbs, "conjugate"))
PY
venv/bin/python inflect.py | tee seen
cat >expected <<'TEXT'
drank: 飲んだ
went: 行いた 行いて
is not there: あらない あらなかった
asked: 問った
can eat: 食べられるる
did: すた すった
暑い not: 暑くない 暑かった
いい not: いくない いかった
かっこいい not: かっこいくない かっこいかった
as in the README: False False
TEXT
cmp seen expected
