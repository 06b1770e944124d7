#!/bin/sh
# clawvault 3.5.2 (npm, Node 20), a memory for agents in Markdown files. "recall" says whom a question is about: the first words in it
# that begin with a capital. "What does Ben eat?" is about "What", "Tell me about Ben" about "Tell", "Does Ben eat meat?" about "Does
# Ben". In small letters ("what does Ben eat?") it is about Ben, as it should be. The heading, which stands above what is handed to a
# model, says "Entity-focused recall for What". Of what was found the last has the mark 0.00, though it may be the news: Ada's old town
# has 1.00 and the one she moved to nothing.
# Source: "clawvault recall --help": "Recall memory context with strategy classification", and its own heading, which names an entity.
# Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund --ignore-scripts "clawvault@3.5.2" >>npm.log 2>&1
export HOME="$folder"
vault() {
  command=$1
  shift
  node node_modules/clawvault/bin/clawvault.js "$command" --vault "$folder/vault" "$@" 2>&1
}
node node_modules/clawvault/bin/clawvault.js init "$folder/vault" >>npm.log 2>&1
rm -f vault/README.md vault/inbox/*.md
vault remember --no-index fact "Ada lives in Leeds" --content "Ada lives in Leeds." >>npm.log
vault remember --no-index fact "Ada lives in Berlin" --content "Ada moved to Berlin." >>npm.log
vault remember --no-index preference "Diet of Ben" --content "Ben eats no meat." >>npm.log
for question in "What does Ben eat?" "what does Ben eat?" "Tell me about Ben" "Does Ben eat meat?" "Where does Ada live?"; do
  echo "$question"
  vault recall "$question" | grep -E 'Entity-focused|\[(facts|preferences)/'
done >seen
cat seen
cat >expected <<'TEXT'
What does Ben eat?
Entity-focused recall for "What":
- (1.00) Diet of Ben [preferences/diet-of-ben]
what does Ben eat?
Entity-focused recall for "Ben":
- (1.00) Diet of Ben [preferences/diet-of-ben]
Tell me about Ben
Entity-focused recall for "Tell":
- (1.00) Diet of Ben [preferences/diet-of-ben]
Does Ben eat meat?
Entity-focused recall for "Does Ben":
- (1.00) Diet of Ben [preferences/diet-of-ben]
Where does Ada live?
Entity-focused recall for "Where":
- (1.00) Ada lives in Leeds [facts/ada-lives-in-leeds]
- (0.00) Ada lives in Berlin [facts/ada-lives-in-berlin]
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
