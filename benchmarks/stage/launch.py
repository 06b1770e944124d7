"""Runs a checkout's ``bot.py`` with discord.py's two addresses set; imports nothing of Kith."""

# Does what tests.fakes.discord.launch does, but loads nothing that the bot does not load itself.
LAUNCH = """
import runpy, sys, discord.gateway, discord.http, yarl
_, discord.http.Route.BASE, gateway, *sys.argv = sys.argv
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
sys.path.insert(0, sys.argv[0].rpartition("/")[0])
runpy.run_path(sys.argv[0], run_name="__main__")
"""
