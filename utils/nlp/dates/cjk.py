"""Parse past dates in Japanese and Chinese: 昨日, 先週の金曜日, 3月12日, 两个月前. Pure.

No pattern nests repetitions, so the time is linear in the length of the text.
"""

import re

from utils.nlp.dates.ranges import Calendar, DateRange, holiday, months_of_year
from utils.nlp.languages import languages

_DIGITS = {char: number for number, char in enumerate("一二三四五六七八九", 1)} | {"两": 2, "兩": 2}
_NUMBER = "[0-9]{1,4}|[一二三四五六七八九]?十[一二三四五六七八九]?|[一二两兩三四五六七八九]"
_TABLES = [language.dates.unspaced for language in languages().values()]
_BACK = {word: back for table in _TABLES for back, words in table.back.items() for word in words}
_WEEKDAYS = {char: number for chars in ("月火水木金土日", "一二三四五六日", "一二三四五六天")
             for number, char in enumerate(chars)}  # fmt: skip
_UNITS = {
    "日": "day",
    "天": "day",
    "週": "week",
    "周": "week",
    "期": "week",
    "拜": "week",
    "年": "year",
    "月": "month",
}
_VAGUE = {"数": (2, 6), "數": (2, 6), "几": (2, 6), "幾": (2, 6)}
_HOLIDAYS = {
    word: holiday(name)
    for table in _TABLES
    for name, words in table.holidays.items()
    for word in words
}
_YEARLY = _HOLIDAYS | {
    season: months_of_year(month, 3)
    for season, month in zip("春夏秋冬", (3, 6, 9, 12), strict=True)
}
_YEARS_BACK = {"今年": 0, "去年": 1, "昨年": 1, "一昨年": 2, "前年": 2}
_DATE = re.compile(
    "(?P<coming>(?:来週|来月|来年|下周|下週|下个月|下個月|下星期|明年|明日|明天|毎[週月年日]|每[周月年天週])"
    "の?(?:[月火水木金土日]曜日?|[一二三四五六日天](?!月))?)"
    f"|(?P<ago>(?P<amount>{_NUMBER}|[数數几幾半])"
    "(?P<unit>日|天|週間?|周|个?星期|个?礼拜|年|[かヶカヵケ箇个個]月間?)(?:之|以)?前)"
    f"|(?P<in_year>(?:(?P<year>[0-9]{{4}})年|(?P<year_back>{'|'.join(_YEARS_BACK)}))の?"
    f"(?:(?P<month>{_NUMBER})月(?:(?P<day>{_NUMBER})[日号號]?)?"
    f"|(?P<yearly>[春夏秋冬]|{'|'.join(_HOLIDAYS)})[季天]?))"
    f"|(?P<in_month>(?P<only_month>{_NUMBER})月(?:(?P<only_day>{_NUMBER})[日号號])?)"
    "|(?P<whole_year>[0-9]{4})年(?!前|間|间)"
    "|(?P<last_week>(?:先週|上个?星期|上礼拜|上[周週])の?"
    "(?P<its_day>[月火水木金土日](?=曜)|[一二三四五六日天])(?:曜日?)?)"
    "|(?P<weekday>(?P<japanese>[月火水木金土日])曜日?|(?:周|週|星期|礼拜)(?P<chinese>[一二三四五六日天]))"
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
    """Return the ranges of one match, by the alternative that matched."""
    match match.lastgroup:
        case "ago":
            return _ago(match["amount"], match["unit"], calendar)
        case "in_year":
            return _in_year(match, calendar)
        case "in_month":
            return _month(None, match["only_month"], match["only_day"], calendar)
        case "whole_year" if calendar.is_year(int(match[0][:4])):
            return [months_of_year(1, 12)(int(match[0][:4]))]
        case "last_week":
            return [calendar.weekday_of_last_week(_WEEKDAYS[match["its_day"]])]
        case "weekday":
            return [calendar.weekday(_WEEKDAYS[match["japanese"] or match["chinese"]])]
        case "holiday":
            return calendar.latest(_HOLIDAYS[match[0]])
        case "month_rolling":
            return [calendar.past(1, "month")]
        case "recent":
            return [calendar.days_back(10, 1)]
        case "back":
            count, unit = _BACK[match[0]]
            return [calendar.unit_ago(unit, count)]
    return []


def _ago(amount: str, unit_word: str, calendar: Calendar) -> list[DateRange]:
    unit = next(name for char, name in _UNITS.items() if char in unit_word)
    if amount == "半":
        return [calendar.ago(6, 6, "month")] if unit == "year" else []
    if amount in _VAGUE:
        return [calendar.ago(*_VAGUE[amount], unit, is_vague=True)]
    number = _number(amount)
    return [calendar.ago(number, number, unit)] if 1 <= number <= 999 else []


def _in_year(match: re.Match[str], calendar: Calendar) -> list[DateRange]:
    if match["year"]:
        year = int(match["year"])
        is_year = calendar.is_year(year)
    else:
        year = calendar.today.year - _YEARS_BACK[match["year_back"]]
        is_year = year >= 1
    if not is_year:
        return []
    if match["yearly"]:
        return [_YEARLY[match["yearly"]](year)]
    return _month(year, match["month"], match["day"], calendar)


def _month(year: int | None, month: str, day: str | None, calendar: Calendar) -> list[DateRange]:
    number = _number(month)
    if not 1 <= number <= 12:
        return []
    if day:
        return calendar.day(year, number, _number(day))
    yearly = months_of_year(number, 1)
    return calendar.latest(yearly) if year is None else [yearly(year)]


def _number(text: str) -> int:
    """Return the value of a number in digits, or in characters up to 99."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return _DIGITS.get(text, 0)
    return 10 * _DIGITS.get(tens, 1) + _DIGITS.get(ones, 0)
