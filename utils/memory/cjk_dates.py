"""Days named in Japanese and Chinese: 昨日, 先週の金曜日, 3月12日, 两个月前. Pure.

No pattern holds a repetition inside a repetition, so that work is linear in the length of a text.
"""

import re

from utils.memory.calendar_days import Calendar, DateRange

_DIGITS = {char: number for number, char in enumerate("一二三四五六七八九", 1)} | {"两": 2, "兩": 2}
_NUMBER = "[0-9]{1,4}|[一二三四五六七八九]?十[一二三四五六七八九]?|[一二两兩三四五六七八九]"
_BACK = {
    "昨日": ("day", 1), "昨夜": ("day", 1), "昨晩": ("day", 1), "昨天": ("day", 1),
    "昨晚": ("day", 1), "きのう": ("day", 1), "一昨日": ("day", 2), "おととい": ("day", 2),
    "前天": ("day", 2), "大前天": ("day", 3), "先週": ("week", 1), "先々週": ("week", 2),
    "上周": ("week", 1), "上週": ("week", 1), "上个星期": ("week", 1), "上個星期": ("week", 1),
    "上星期": ("week", 1), "上礼拜": ("week", 1), "上个礼拜": ("week", 1), "上上周": ("week", 2),
    "先月": ("month", 1), "先々月": ("month", 2), "上个月": ("month", 1), "上個月": ("month", 1),
    "去年": ("year", 1), "昨年": ("year", 1), "一昨年": ("year", 2), "おととし": ("year", 2),
    "今週": ("week", 0), "本周": ("week", 0), "这周": ("week", 0), "這週": ("week", 0),
    "这个星期": ("week", 0), "今月": ("month", 0), "这个月": ("month", 0), "這個月": ("month", 0),
    "本月": ("month", 0), "今年": ("year", 0),
}  # fmt: skip
_WEEKDAYS = {char: number % 7 for number, char in enumerate("月火水木金土日")} | {
    char: number for number, char in enumerate("一二三四五六日")
}
_WEEKDAYS["天"] = 6
_SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
_UNITS = {"日": "day", "天": "day", "週": "week", "周": "week", "星": "week", "礼": "week"}
_UNITS |= {"年": "year"}  # all others are months
_VAGUE = {"数": (2, 6), "數": (2, 6), "几": (2, 6), "幾": (2, 6), "半": (1, 1)}
_FEASTS = {
    "クリスマス": "christmas", "圣诞": "christmas", "聖誕": "christmas", "元旦": "new year",
    "大晦日": "new year", "ハロウィン": "halloween", "万圣节": "halloween",
    "バレンタイン": "valentine", "情人节": "valentine", "复活节": "easter",
}  # fmt: skip
_ONE = re.compile(
    "(?P<coming>来週|来月|来年|下周|下週|下个月|下個月|下星期|明年|明日|明天|毎[週月年日]|每[周月年天週])"
    "の?(?:[月火水木金土日]曜日?|[一二三四五六日天](?!月))?"
    f"|(?P<ago>{_NUMBER}|[数數几幾半])(?P<unit>日|天|週間?|周|个?星期|个?礼拜|年|[かヶカヵケ箇个個]月間?)"
    "(?:之|以)?前"
    f"|(?:(?P<year>[0-9]{{4}})年|(?P<year_back>去年|昨年|一昨年|前年|今年))の?"
    f"(?:(?P<month>{_NUMBER})月(?:(?P<day>{_NUMBER})[日号號]?)?|(?P<season>[春夏秋冬])[季天]?"
    f"|(?P<year_feast>{'|'.join(_FEASTS)}))"
    f"|(?P<only_month>{_NUMBER})月(?:(?P<only_day>{_NUMBER})[日号號])?"
    "|(?P<whole_year>[0-9]{4})年(?!前|間|间)"
    "|(?P<week>先週|上个?星期|上礼拜|上[周週])の?(?P<weekday>[月火水木金土日]曜日?|[一二三四五六日天])"
    "|(?P<bare_weekday>[月火水木金土日])曜日?"
    "|(?:周|週|星期|礼拜)(?P<chinese_weekday>[一二三四五六日天])"
    f"|(?P<feast>{'|'.join(_FEASTS)})"
    "|(?P<recent>先日|この間|こないだ|前几天|前幾天)"
    "|(?P<month_rolling>最近(?:一个月|1ヶ月|1か月))"
    f"|(?P<back>{'|'.join(sorted(_BACK, key=len, reverse=True))})"
)


def cjk_dates(text: str, calendar: Calendar, most: int) -> list[DateRange]:
    """Return the first ranges that a text names in Japanese or Chinese, in order."""
    found: list[DateRange] = []
    for match in _ONE.finditer(text):
        found += _ranges(match, calendar)
        if len(found) >= most:
            break
    return found


def _ranges(match: re.Match[str], calendar: Calendar) -> list[DateRange]:
    """Return what one match means; at most one of the groups that are asked for is set."""
    has = match.groupdict()
    if has["back"]:
        unit, times = _BACK[has["back"]]
        return [calendar.last(unit, times) if times else calendar.this(unit)]
    if has["ago"]:
        return _ago(has["ago"], has["unit"] or "", calendar)
    if has["month"] or has["season"] or has["year_feast"]:
        return _in_year(has, calendar)
    if has["only_month"]:
        return _month(None, has["only_month"], has["only_day"], calendar)
    if has["whole_year"]:
        year = int(has["whole_year"])
        return [calendar.year(year)] if calendar.is_year(year) else []
    if has["weekday"]:
        return [calendar.weekday_of_last_week(_WEEKDAYS[has["weekday"][0]])]
    if weekday := has["bare_weekday"] or has["chinese_weekday"]:
        return [calendar.weekday(_WEEKDAYS[weekday])]
    if has["feast"]:
        return calendar.holiday(_FEASTS[has["feast"]], None)
    if has["month_rolling"]:
        return [calendar.past(1, "month")]
    return [calendar.days_back(10, 1)] if has["recent"] else []


def _ago(amount: str, unit: str, calendar: Calendar) -> list[DateRange]:
    kind = _UNITS.get(unit.lstrip("个")[0] if unit[0] in "个個" and len(unit) > 2 else unit[0])
    kind = kind or "month"
    if amount == "半":
        return [calendar.ago(6, 6, "month")] if kind == "year" else []
    if amount in _VAGUE:
        return [calendar.ago(*_VAGUE[amount], kind, is_vague=True)]
    number = _number(amount)
    return [calendar.ago(number, number, kind)] if 1 <= number <= 999 else []


def _in_year(has: dict[str, str | None], calendar: Calendar) -> list[DateRange]:
    year = calendar.today.year
    if has["year"]:
        year = int(has["year"])
        if not calendar.is_year(year):
            return []
    elif has["year_back"] != "今年":
        year -= 1 if has["year_back"] in ("去年", "昨年") else 2
    if has["season"]:
        return [calendar.season(_SEASONS[has["season"]], year)] if year > 1 else []
    if has["year_feast"]:
        return calendar.holiday(_FEASTS[has["year_feast"]], year) if year > 1 else []
    return _month(year, has["month"] or "", has["day"], calendar)


def _month(year: int | None, month: str, day: str | None, calendar: Calendar) -> list[DateRange]:
    number = _number(month)
    if not 1 <= number <= 12:
        return []
    if day:
        return calendar.day(year, number, _number(day))
    return [calendar.latest_month(number) if year is None else calendar.month(year, number)]


def _number(text: str) -> int:
    """Read a number in digits or in signs up to 99."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return _DIGITS.get(text, 0)
    return 10 * _DIGITS.get(tens, 1) + _DIGITS.get(ones, 0)
