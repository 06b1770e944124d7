#!/bin/sh
# wright-core 0.3.1 (PyPI, CPython 3.11), recipes, allergens and shopping lists for programs and agents. Its badges rest on a
# few words that an ingredient's name must hold: bacon, ham, tuna, prawns, feta and parmesan are VEGAN, and bread, pasta,
# couscous, seitan and beer are GLUTEN-FREE, since neither their names nor "prawn" and "bread" are among the words. Who cannot
# eat gluten is shown bread. On the other side rice flour has gluten, as it is flour, an eggplant is not vegan for its egg,
# and coconut milk is dairy. What it does not know is taken for free of everything; no badge says that something was not
# known.
# Source: the README ("allergen detection"; "Allergens and dietary badges", where a cake of flour, butter and lemon juice has
# the allergens "Dairy", "Gluten" and "Eggs" and the badges "VEGAN", "DAIRY-FREE" and "GLUTEN-FREE": with the same table the
# program finds none of either). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "wright-core==0.3.1"
cd "$folder"
cat >badges.py <<'PY'
from wright import Ingredient, Recipe, RecipeComponent, detect_allergens, detect_dietary_properties


def recipe(*names):
    """Return a recipe with these ingredients."""
    ingredients = [Ingredient(name=name, quantity=100, unit="g") for name in names]
    parts = [RecipeComponent(name="all", ingredients=ingredients)]
    return Recipe(name="Dish", components=parts, prep_time=5, cook_time=5, servings=2)


cake = recipe("Flour", "Butter", "Lemon Juice")
table = {"milk": "Dairy", "wheat": "Wheat"}
print("the README's cake:", detect_allergens(cake, allergy_map=table), detect_dietary_properties(cake))
groups = (
    ("Bacon", "Ham", "Tuna", "Prawns", "Feta", "Parmesan"),
    ("Bread", "Pasta", "Couscous", "Seitan", "Beer"),
    ("Rice Flour", "Eggplant", "Coconut Milk"),
)
for names in groups:
    for name in names:
        print(f"{name}: {', '.join(detect_dietary_properties(recipe(name)))}")
PY
venv/bin/python badges.py | tee seen
cat >expected <<'TEXT'
the README's cake: [] []
Bacon: VEGAN, GLUTEN-FREE
Ham: VEGAN, GLUTEN-FREE
Tuna: VEGAN, GLUTEN-FREE
Prawns: VEGAN, GLUTEN-FREE
Feta: VEGAN, GLUTEN-FREE
Parmesan: VEGAN, GLUTEN-FREE
Bread: VEGAN, GLUTEN-FREE
Pasta: VEGAN, GLUTEN-FREE
Couscous: VEGAN, GLUTEN-FREE
Seitan: VEGAN, GLUTEN-FREE
Beer: VEGAN, GLUTEN-FREE
Rice Flour: VEGAN
Eggplant: DAIRY-FREE, GLUTEN-FREE
Coconut Milk: GLUTEN-FREE
TEXT
cmp seen expected
