"""The operator's own doors: looking through what is remembered, changing it, and counting it."""
