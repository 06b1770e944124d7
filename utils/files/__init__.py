"""What files say: reading bytes that strangers sent, in a process of its own with limits.

Knows nothing of Discord, the database or a model; nothing here trusts a name or a declared type.
"""
