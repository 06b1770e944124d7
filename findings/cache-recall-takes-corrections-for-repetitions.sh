#!/bin/sh
# cache-recall 1.0.1 (PyPI, CPython 3.11), a memory of facts about a user and a cache of answers, both compared by
# pieces of words without signs. A fact that is about the same as a known one is a duplicate, and dropped: the debt of
# 20 euros that was a balance, the new number of the house, the "not", and who owes whom now.
# update_memory(verified=False) marks a fact as verified. Of answers less has to be the same: "Can Kim not eat nuts?"
# is answered with what was said to "Can Kim eat nuts?", Hanna's birthday is Anna's, and 12 - 30 is 42.
# Source: the README ("remember answers and facts about the user", "they don't answer the same question twice"), the
# threshold of 0.55 as its default; _find_duplicate and update_memory in recall/memory.py, TextEmbedder in
# recall/cache.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-deps "cache-recall==1.0.1" # its MCP server is not needed
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from recall.cache import PromptCache
from recall.memory import Memory

memory = Memory("memory.db")
for fact, correction in (
    ("The user's balance is 20 euros", "The user's balance is -20 euros"),
    ("User lives at Harbour Street 14 in Oslo", "User lives at Harbour Street 15 in Oslo"),
    ("User is allergic to peanuts and hazelnuts", "User is not allergic to peanuts and hazelnuts"),
    ("Anna owes Ben twenty euros since Monday", "Ben owes Anna twenty euros since Monday"),
):
    memory.clear()
    memory.remember(fact, importance=9)
    number = memory.remember(correction, importance=9, verified=True)
    print(f"{correction}: {number}; known: {[known['fact'] for known in memory.list_memories()]}")
memory.clear()
number = memory.remember("User likes tea")
memory.update_memory(number, verified=False)
print("updated as not verified, verified:", memory.list_memories()[0]["verified"])

cache = PromptCache("cache.db")
for question, answer, other in (
    ("Can Kim eat nuts?", "Yes, Kim can.", "Can Kim not eat nuts?"),
    ("When is Anna's birthday?", "On 3 May.", "When is Hanna's birthday?"),
    ("Is the door open?", "Yes.", "Is the door closed?"),
    ("What is 12 + 30?", "42", "What is 12 - 30?"),
):
    cache.clear()
    cache.save(question, answer)
    print(other, cache.ask(other))
PY
cat >expected <<'TEXT'
The user's balance is -20 euros: None; known: ["The user's balance is 20 euros"]
User lives at Harbour Street 15 in Oslo: None; known: ['User lives at Harbour Street 14 in Oslo']
User is not allergic to peanuts and hazelnuts: None; known: ['User is allergic to peanuts and hazelnuts']
Ben owes Anna twenty euros since Monday: None; known: ['Anna owes Ben twenty euros since Monday']
updated as not verified, verified: True
Can Kim not eat nuts? Yes, Kim can.
When is Hanna's birthday? On 3 May.
Is the door closed? Yes.
What is 12 - 30? 42
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
