"""What every layer needs: clock, configuration, errors, shards, text functions."""
