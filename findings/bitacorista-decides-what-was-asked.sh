#!/bin/sh
# bitacorista 2.9.0 (PyPI, CPython 3.11), a memory of what was decided in conversations, "without a model at runtime", as
# installed. Its README's own example, "We decided to use Vue. Drop React", discards nothing: "drop" counts only before that,
# this or it. A question ("Is it confirmed that Anna comes?") and a condition are firm decisions, which the model is then told
# as what "the user said explicitly"; "no." within "at no. 5" ends a sentence, so the decision is "5 and we decided to walk".
# "No we decided on Friday" is none, as the no before it counts as a negation. What was decided stays a firm decision when it
# is dropped ("We're not using Vue"), corrected or decided anew: Friday and Sunday stand side by side, and nothing ever
# becomes OBSOLETO, "replaced by a newer decision", unless somebody sets or merges it by hand.
# Source: PATTERNS and _has_negation in bitacorista/engine.py of the wheel; the README's "Quick start", "What it detects"
# ("drop React") and "Entry states". Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "bitacorista==2.9.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from bitacorista import get_resumen, init_db, process_exchange

CONVERSATIONS = (
    ("We decided to use Vue. Drop React - too complex.", "We're not using Vue.", "No we decided on Friday"),
    ("Is it confirmed that Anna comes?", "If we decided to move, would you help?"),
    ("We meet at no. 5 and we decided to walk",),
    ("We decided to meet on Friday.", "No, that's wrong.", "We decided to meet on Sunday."),
)
for number, messages in enumerate(CONVERSATIONS):
    connection = init_db(f"{number}.db")
    for message in messages:
        entries = process_exchange(connection, message)
        print(message, "->", [(entry["tipo"], entry["estado"], entry["resumen"]) for entry in entries])
    print(get_resumen(connection))
PY
cat seen
cat >expected <<'TEXT'
We decided to use Vue. Drop React - too complex. -> [('DECISIÓN', 'FIRME', 'We decided to use Vue')]
We're not using Vue. -> [('DESCARTE', 'DESCARTADO', "We're not using Vue")]
No we decided on Friday -> []
DECISIONES FIRMES:
  - [DECISIÓN] We decided to use Vue

NO PROPONER (descartado):
  - We're not using Vue — We're not using Vue.

[2 entradas, 0 intercambios]
Is it confirmed that Anna comes? -> [('DECISIÓN', 'FIRME', 'Is it confirmed that Anna comes')]
If we decided to move, would you help? -> [('DECISIÓN', 'FIRME', 'If we decided to move, would you help')]
DECISIONES FIRMES:
  - [DECISIÓN] Is it confirmed that Anna comes
  - [DECISIÓN] If we decided to move, would you help

[2 entradas, 0 intercambios]
We meet at no. 5 and we decided to walk -> [('DECISIÓN', 'FIRME', '5 and we decided to walk')]
DECISIONES FIRMES:
  - [DECISIÓN] 5 and we decided to walk

[1 entradas, 0 intercambios]
We decided to meet on Friday. -> [('DECISIÓN', 'FIRME', 'We decided to meet on Friday')]
No, that's wrong. -> [('CORRECCIÓN', 'INFERIDO', "No, that's wrong")]
We decided to meet on Sunday. -> [('DECISIÓN', 'FIRME', 'We decided to meet on Sunday')]
DECISIONES FIRMES:
  - [DECISIÓN] We decided to meet on Friday
  - [DECISIÓN] We decided to meet on Sunday

INFERIDO:
  - No, that's wrong

[3 entradas, 0 intercambios]
TEXT
cmp seen expected
