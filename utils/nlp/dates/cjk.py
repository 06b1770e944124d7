"""Parse past dates in Japanese and Chinese: 昨日, 先週の金曜日, 3月12日, 两个月前. Pure.

No pattern nests repetitions, so the time is linear in the length of the text.
"""

import re
from dataclasses import fields

from utils.nlp.dates.ranges import Calendar, DateRange
from utils.nlp.languages import languages

_DIGITS = {char: number for number, char in enumerate("一二三四五六七八九", 1)} | {"两": 2, "兩": 2}
_NUMBER = "[0-9]{1,4}|[一二三四五六七八九]?十[一二三四五六七八九]?|[一二两兩三四五六七八九]"
_TABLES = [language.dates.unspaced for language in languages().values()]
_BACK = {
    word: (unit, int(count))
    for table in _TABLES
    for key, words in table.back.items()
    for count, unit in [key.split()]
    for word in words.split()
}
_WEEKDAYS = {char: number % 7 for number, char in enumerate("月火水木金土日")} | {
    char: number for number, char in enumerate("一二三四五六日")
}
_WEEKDAYS["天"] = 6
_SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
_UNITS = {"日": "day", "天": "day", "週": "week", "周": "week", "星": "week", "礼": "week"}
_UNITS |= {"年": "year"}  # everything else is months
_VAGUE = {"数": (2, 6), "數": (2, 6), "几": (2, 6), "幾": (2, 6), "半": (1, 1)}
_HOLIDAYS = {
    word: holiday.name
    for table in _TABLES
    for holiday in fields(table.holidays)
    for word in getattr(table.holidays, holiday.name)
}
_DATE = re.compile(
    "(?P<coming>来週|来月|来年|下周|下週|下个月|下個月|下星期|明年|明日|明天|毎[週月年日]|每[周月年天週])"
    "の?(?:[月火水木金土日]曜日?|[一二三四五六日天](?!月))?"
    f"|(?P<ago>{_NUMBER}|[数數几幾半])(?P<unit>日|天|週間?|周|个?星期|个?礼拜|年|[かヶカヵケ箇个個]月間?)"
    "(?:之|以)?前"
    f"|(?:(?P<year>[0-9]{{4}})年|(?P<year_back>去年|昨年|一昨年|前年|今年))の?"
    f"(?:(?P<month>{_NUMBER})月(?:(?P<day>{_NUMBER})[日号號]?)?|(?P<season>[春夏秋冬])[季天]?"
    f"|(?P<year_holiday>{'|'.join(_HOLIDAYS)}))"
    f"|(?P<only_month>{_NUMBER})月(?:(?P<only_day>{_NUMBER})[日号號])?"
    "|(?P<whole_year>[0-9]{4})年(?!前|間|间)"
    "|(?P<week>先週|上个?星期|上礼拜|上[周週])の?(?P<weekday>[月火水木金土日]曜日?|[一二三四五六日天])"
    "|(?P<bare_weekday>[月火水木金土日])曜日?"
    "|(?:周|週|星期|礼拜)(?P<chinese_weekday>[一二三四五六日天])"
    f"|(?P<holiday>{'|'.join(_HOLIDAYS)})"
    "|(?P<recent>先日|この間|こないだ|前几天|前幾天)"
    "|(?P<month_rolling>最近(?:一个月|1ヶ月|1か月))"
    f"|(?P<back>{'|'.join(sorted(_BACK, key=len, reverse=True))})"
)


def cjk_dates(text: str, calendar: Calendar, limit: int) -> list[DateRange]:
    """Return the first ``limit`` date ranges that a text names in Japanese or Chinese, in order."""
    ranges: list[DateRange] = []
    for match in _DATE.finditer(text):
        ranges += _ranges(match, calendar)
        if len(ranges) >= limit:
            break
    return ranges


def _ranges(match: re.Match[str], calendar: Calendar) -> list[DateRange]:
    """Return the ranges of one match; at most one of the groups checked here is set."""
    groups = match.groupdict()
    if groups["back"]:
        unit, count = _BACK[groups["back"]]
        return [calendar.unit_ago(unit, count)]
    if groups["ago"]:
        return _ago(groups["ago"], groups["unit"] or "", calendar)
    if groups["month"] or groups["season"] or groups["year_holiday"]:
        return _in_year(groups, calendar)
    if groups["only_month"]:
        return _month(None, groups["only_month"], groups["only_day"], calendar)
    if groups["whole_year"]:
        year = int(groups["whole_year"])
        return [calendar.year(year)] if calendar.is_year(year) else []
    if groups["weekday"]:
        return [calendar.weekday_of_last_week(_WEEKDAYS[groups["weekday"][0]])]
    if weekday := groups["bare_weekday"] or groups["chinese_weekday"]:
        return [calendar.weekday(_WEEKDAYS[weekday])]
    if groups["holiday"]:
        return calendar.holiday(_HOLIDAYS[groups["holiday"]], None)
    if groups["month_rolling"]:
        return [calendar.past(1, "month")]
    return [calendar.days_back(10, 1)] if groups["recent"] else []


def _ago(amount: str, unit: str, calendar: Calendar) -> list[DateRange]:
    unit_name = _UNITS.get(unit.lstrip("个")[0] if unit[0] in "个個" and len(unit) > 2 else unit[0])
    unit_name = unit_name or "month"
    if amount == "半":
        return [calendar.ago(6, 6, "month")] if unit_name == "year" else []
    if amount in _VAGUE:
        return [calendar.ago(*_VAGUE[amount], unit_name, is_vague=True)]
    number = _number(amount)
    return [calendar.ago(number, number, unit_name)] if 1 <= number <= 999 else []


def _in_year(groups: dict[str, str | None], calendar: Calendar) -> list[DateRange]:
    year = calendar.today.year
    if groups["year"]:
        year = int(groups["year"])
        if not calendar.is_year(year):
            return []
    elif groups["year_back"] != "今年":
        year -= 1 if groups["year_back"] in ("去年", "昨年") else 2
    if groups["season"]:
        return [calendar.season(_SEASONS[groups["season"]], year)] if year > 1 else []
    if groups["year_holiday"]:
        return calendar.holiday(_HOLIDAYS[groups["year_holiday"]], year) if year > 1 else []
    return _month(year, groups["month"] or "", groups["day"], calendar)


def _month(year: int | None, month: str, day: str | None, calendar: Calendar) -> list[DateRange]:
    number = _number(month)
    if not 1 <= number <= 12:
        return []
    if day:
        return calendar.day(year, number, _number(day))
    return [calendar.latest_month(number) if year is None else calendar.month(year, number)]


def _number(text: str) -> int:
    """Return the value of a number in digits, or in characters up to 99."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return _DIGITS.get(text, 0)
    return 10 * _DIGITS.get(tens, 1) + _DIGITS.get(ones, 0)
