"""When a watched channel's messages are analysed."""

from utils.sentiment.batch_schedule import BatchSchedule, ChannelKey

HERE, THERE = ChannelKey(1, 100), ChannelKey(1, 200)


def test_half_a_batch_is_due_after_a_quiet_moment():
    waiting = BatchSchedule()
    waiting.add(HERE, 5, 0.0, is_heated=False)
    waiting.add(HERE, 5, 30.0, is_heated=False)
    assert waiting.due(89.9) == []
    assert waiting.due(90.0) == [HERE]


def test_a_heated_handful_is_due_after_a_quiet_moment_and_a_calm_one_waits_for_company():
    waiting = BatchSchedule()
    waiting.add(HERE, 2, 0.0, is_heated=False)
    waiting.add(THERE, 2, 0.0, is_heated=True)
    assert waiting.due(60.0) == [THERE]
    assert waiting.due(599.0) == [THERE]
    assert waiting.due(600.0) == [THERE, HERE]


def test_paused_channels_are_not_due_and_the_others_are():
    waiting = BatchSchedule()
    for channel in (HERE, THERE, ChannelKey(2, 300)):
        waiting.add(channel, 20, 0.0, is_heated=False)
    waiting.pause_guild(1, 500.0)
    assert waiting.due(1.0) == [ChannelKey(2, 300)]
    assert waiting.ready(1.0) == [ChannelKey(2, 300)]
    waiting.begin(ChannelKey(2, 300))
    waiting.end(ChannelKey(2, 300), remaining=20, now=1.0, pause_s=30.0)
    assert waiting.next_due_at() == 31.0
