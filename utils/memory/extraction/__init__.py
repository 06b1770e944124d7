"""Turn messages into candidates, with a model or with built-in rules."""
