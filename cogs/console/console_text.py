"""What the terminal says around the conversation; memory and settings have their own texts."""

LANGUAGE_NAME = "English"
"""Each language's translation of this is its own name."""
NO_MODEL_NOTICE = (
    "No language model is configured (`python bot.py setup` adds one): I keep what you say about "
    "yourself, and quote it when you ask."
)
NO_MODEL_LINE = "No language model: I quote what you told me. `python bot.py setup` adds one."
MODEL_LINE = "Answers come from the language model {model} at {place}."
KEPT_IN_SQL_SERVER = "What you tell me is kept in the SQL Server database of DATABASE_URL."
KEPT_IN_FILE = "What you tell me is kept in {file}, on this computer only."
HELLO = "Hello! I'm Kith. I remember what you tell me about yourself."
TRY = (
    "Try: Hi! My name is Sam and I live in Lisbon.  Then ask: where do I live?\n"
    ":help shows everything else, Ctrl-D leaves."
)
WELCOME_BACK = "Welcome back, {name}! I keep {count} things you told me: /memory show lists them."
WELCOME_BACK_ONE = "Welcome back, {name}! I keep 1 thing you told me: /memory show lists it."
ASK_ME = "Ask me: what do you know about me?   :help shows everything else, Ctrl-D leaves."
BYE = "Bye. I'll remember."
CONSOLE_HELP = """\
Talking
  Just write, for example:  Hi! My name is Sam and I live in Lisbon.
  Ask:                      where do I live?   what do you know about me?
  Let me forget:            forget that I live in Lisbon
What I remember
  /memory show [page]       everything I know about you, with numbers
  /memory search dog        what has these words, or answers a question
  /memory why 3             the sentence that number 3 comes from
  /memory correct 3 likes tea  ·  /memory undo 3  ·  /memory forget 3 (or all)
  /memory consent off       how long I remember you: lasting, temporary or off
  /memory export            all of it as text;  /privacy says what I keep
Trying things
  :as Robin                 speak as another person
  :channel games            speak in another channel;  /reset starts it afresh
  :channel private-plans    not everybody reads channels named private…
  :clock +8d                move time (m, h, d, w);  :prune removes what expired
  :prompt                   the memory that the last answer was given
  :why                      what the last answer comes from
  /mode set NAME            change how I sound;  /mode show lists the modes
  :language de              speak another language: en or de
A language model
  python bot.py setup       connects one, so that I can chat; leave first
Leaving
  :quit, exit or Ctrl-D leaves;  Ctrl-C stops an answer;  :help shows this"""

NO_COMMAND = "There is no command {word}; :help lists all commands."
DID_YOU_MEAN = "There is no command {word}. Did you mean {meant}? :help lists all commands."
USAGE = (
    "There is /memory show [page], search WORDS, why N, correct N TEXT, undo N, forget N|all, "
    "consent [lasting|temporary|off] and export."
)
PAGES = "The last page is {count}."
NEXT_PAGE = "/memory show {page} shows the next page."
CORRECT_WHAT = "Say which, and what is true instead: /memory correct 12 likes tea."
FORGET_WHICH = "Say which: /memory forget 12, or /memory forget all."
GIVE_NUMBER = "Give the number that /memory show prints, or all."
CONSENT_USAGE = "There is /memory consent [lasting|temporary|off]."
CORRECTED_TO = "~ corrected: {text} (before: {before})"
FORGOT = "- forgot: {text}"
EXPIRED = "- expired: {text}"
READING = "One moment, I still read what you told me …"
READ_LATER = "The rest is read at the next start."
STOPPED = "(stopped)"
YOU_ARE = "You are now {name}."
GIVE_NAME = "Give a name, such as :as Robin."
IN_CHANNEL = "You are now in #{channel}."
GIVE_CHANNEL = "Name a channel, such as :channel general."
GIVE_DURATION = "Give a duration, such as :clock +8d or :clock +90m."
CLOCK_LIMITS = "The clock only works from {first} to {last}."
IT_IS_NOW = "It is now {weekday}, {day}, {time}."
_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
WEEKDAYS = dict(enumerate(_WEEKDAYS.split()))
NO_BLOCK = "(the last turn had no memory block)"
NO_ORIGINS = "(nothing stored has two words in common with the last answer)"
A_SUMMARY = "(a summary)"
WORDS_ERASED = "(its words are erased)"
PRUNED = "Pruned: {report}."
IS_PRUNING = "Another process is pruning."
FRESH = "I start fresh in this channel; what I know about people stays."
MODE_IS = "Mode: {mode} (there are {modes})."
NAME_A_MODE = "Name a mode: {modes}."
MODE_USAGE = "There is /mode show and /mode set NAME."
LANGUAGE_IS = "I speak English now. What you tell me is understood in every language I know."
LANGUAGE_USAGE = "There is :language {languages}."
