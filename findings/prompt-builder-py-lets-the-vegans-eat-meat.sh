#!/bin/sh
# prompt-builder-py 1.0.0 (PyPI, CPython 3.11), a builder of prompts with "Handlebars templates". A condition within a loop is
# decided by what stands outside of the loop: of each member it says the same, and where nothing outside has that name,
# what holds for those who are not so. A loop within a loop ends with the first member, and the
# others are gone. A condition within a condition ends both at the first end, so that what follows is dropped, or
# stands there with an end of its own. {{else}} is nothing. No error is raised, also where a part is left over. For
# Anthropic, all system messages but the first are dropped.
# Source: its README ("Handlebars templates: {{variable}}, {{#if}}, {{#each}}, partials"); prompt_builder_py's template.py of
# the wheel, which replaces all loops, then all conditions, by one pattern each. Handlebars nests both, as its
# documentation shows. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "prompt-builder-py==1.0.0"
cd "$folder"
cat >prompts.py <<'PY'
from prompt_builder_py import AnthropicFormatter, PromptBuilder, Template

members = [
    {"name": "Kim", "vegan": True, "likes": ["tea", "jam"]},
    {"name": "Ben", "vegan": False, "likes": ["rum"]},
]
for text, more in (
    ("{{#each members}}{{name}} {{#if vegan}}is vegan{{/if}}{{#unless vegan}}eats meat{{/unless}}. {{/each}}", {}),
    ("{{#each members}}{{name}} likes {{#each likes}}{{.}} {{/each}}. {{/each}}", {}),
    ("{{#if here}}Here. {{#if late}}It is late. {{/if}}Greet them.{{/if}}", {"here": True, "late": False}),
    ("{{#if here}}Here. {{#if late}}It is late. {{/if}}Greet them.{{/if}}", {"here": False, "late": True}),
    ("{{#if here}}Greet them.{{else}}Write to them.{{/if}}", {"here": False}),
):
    print(repr(Template(text).render(members=members, **more)))

builder = PromptBuilder().system("Be kind.").system("Kim is vegan.").user("What may Kim eat?")
print("system:", AnthropicFormatter(model="m").format(builder.build())["system"])
PY
venv/bin/python prompts.py | tee seen
cat >expected <<'TEXT'
'Kim eats meat. Ben eats meat. '
'Kim likes '
'Here. '
'Greet them.{{/if}}'
''
system: Be kind.
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
