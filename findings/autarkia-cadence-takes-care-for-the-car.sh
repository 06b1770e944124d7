#!/bin/sh
# autarkia-cadence 0.1.0 (PyPI, CPython 3.11), which decides whether a companion may speak first now. Its groups of topics, which
# keep it from asking about one thing twice within hours, look for their words inside of others: "take care", a scarf, a postcard,
# Oscar, and who is scared have a "car" in them and Vegas "gas", so who was asked about the car is not asked about them for
# hours. "They" has a "hey", so that questions about other people are greetings, and "dismissal" and "what did I miss" are both
# care. Of the README's own three questions of one group, "did you eat?" is in none, nor are lunch, dinner and breakfast.
# Source: its README, "Same topic group: 'did you eat?' / 'did the delivery arrive?' / 'food ready?' collapse into one meal
# group"; TOPIC_KEYWORDS and detect_topic_category in autarkia_cadence/topics.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "autarkia-cadence==0.1.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from autarkia_cadence import CadenceGuard, classify_topic, group_for_topic_label

HOUR = 3600
guard = CadenceGuard()


def ask(before, now):
    """Print what comes of a question two and a half hours after another one, which was answered."""
    state = {
        "last_proactive_at": 1_000_000,
        "last_proactive_type": "share_thought",
        "last_proactive_replied": True,
        "last_sent_topic": classify_topic("share_thought", "", before),
    }
    verdict = guard.evaluate_final_text(
        now=1_000_000 + 2.5 * HOUR, intent="curious_question", final_text=now, proactive_state=state
    )
    groups = [group_for_topic_label(classify_topic("curious_question", "", text)) for text in (before, now)]
    outcome = "asked" if verdict.allowed else f"not asked, {verdict.reason}"
    print(f"{before} ({groups[0]}) {now} ({groups[1]}): {outcome}")


ask("Your car is back.", "How is Oscar?")
ask("Your car is back.", "Did the postcard arrive?")
ask("Your car is back.", "Are you still scared of the dentist?")
ask("Your car is back.", "How was Vegas?")
ask("Take care!", "How much fuel is left?")
ask("Hey!", "How are they?")
ask("I miss you.", "What came of the dismissal?")
ask("Did the delivery arrive?", "Food ready?")
ask("Did the delivery arrive?", "Did you eat?")
ask("Did you have dinner?", "Did you have lunch?")
PY
cat seen
cat >expected <<'TEXT'
Your car is back. (vehicle) How is Oscar? (vehicle): not asked, cadence_same_topic_group
Your car is back. (vehicle) Did the postcard arrive? (vehicle): not asked, cadence_same_topic_group
Your car is back. (vehicle) Are you still scared of the dentist? (vehicle): not asked, cadence_same_topic_group
Your car is back. (vehicle) How was Vegas? (vehicle): not asked, cadence_same_topic_group
Take care! (vehicle) How much fuel is left? (vehicle): not asked, cadence_same_topic_group
Hey! (greeting) How are they? (greeting): not asked, cadence_same_topic_group
I miss you. (care) What came of the dismissal? (care): not asked, cadence_same_topic_group
Did the delivery arrive? (meal) Food ready? (meal): not asked, cadence_same_topic_group
Did the delivery arrive? (meal) Did you eat? (general): asked
Did you have dinner? (general) Did you have lunch? (general): asked
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
