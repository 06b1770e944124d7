"""What no memory may hold: secrets, contact data, orders to the bot, private categories."""
