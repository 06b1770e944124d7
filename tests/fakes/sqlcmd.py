"""A strict stand-in for sqlcmd 18: reads a line as a shell and sqlcmd would, and runs nothing."""

import re
import shlex
from dataclasses import dataclass, field

FLAGS = {"-b", "-C", "-D", "-x", "-No", "-Ns", "-Nm", "-E", "-I"}
WITH_VALUE = {"-S", "-d", "-Q", "-U", "-i", "-v"}
# Microsoft, sqlcmd utility: -S [protocol:]server[\instance_name][,port]
SERVER = re.compile(r"(?:(?:tcp|np|lpc|admin):)?([\w.:-]+)(?:\\([\w$-]+))?(?:,(\d{1,5}))?")
TOKEN = re.compile(
    r"\[(?P<name>(?:[^]]|]])+)]|N'(?P<text>(?:[^']|'')*)'|(?P<word>[A-Z_]+)|(?P<sign>[=,;()])|\s+"
)


@dataclass
class Call:
    """What sqlcmd was asked to do."""

    flags: set[str] = field(default_factory=set)
    values: dict[str, str] = field(default_factory=dict)

    @property
    def host(self) -> str:
        return self._server()[0]

    @property
    def instance(self) -> str | None:
        return self._server()[1]

    @property
    def port(self) -> int | None:
        port = self._server()[2]
        return None if port is None else int(port)

    def _server(self) -> tuple[str, str | None, str | None]:
        match = SERVER.fullmatch(self.values["-S"])
        assert match, f"no server: {self.values['-S']}"
        return match.groups()

    @property
    def statements(self) -> list[list[str]]:
        """The T-SQL, as lists of words with names and texts unquoted."""
        query, found = self.values["-Q"], [[]]
        assert "-x" in self.flags or "$(" not in query, "a variable that has no value"
        at = 0
        while at < len(query):
            match = TOKEN.match(query, at)
            assert match, f"no T-SQL: {query[at:]}"
            at = match.end()
            if match["sign"] == ";":
                found.append([])
            elif match["name"] is not None:
                found[-1].append(match["name"].replace("]]", "]"))
            elif match["text"] is not None:
                found[-1].append(match["text"].replace("''", "'"))
            elif match["word"] or match["sign"]:
                found[-1].append(match[0])
        return [statement for statement in found if statement]


def parse(line: str, *, is_windows: bool = False) -> Call:
    """Read a line; fails on whatever a shell or sqlcmd would refuse or read otherwise."""
    words = windows_words(line) if is_windows else shlex.split(line)
    assert words.pop(0) == "sqlcmd"
    call = Call()
    while words:
        word = words.pop(0)
        if word in WITH_VALUE:
            assert word not in call.values, f"{word} twice"
            call.values[word] = words.pop(0)
        else:
            assert word in FLAGS, f"sqlcmd has no option {word}"
            call.flags.add(word)
    return call


def windows_words(line: str) -> list[str]:
    """Split a line as Microsoft's C runtime does: before a quote, two backslashes are one."""
    words, word, is_quoted, at = [], None, False, 0
    while at < len(line):
        slashes = re.compile(r"\\*").match(line, at)[0]
        at += len(slashes)
        sign = line[at : at + 1]
        if sign == '"':
            word = (word or "") + "\\" * (len(slashes) // 2)
            if len(slashes) % 2:
                word += '"'
            else:
                is_quoted = not is_quoted
        elif sign in (" ", "\t", "") and not is_quoted:
            if word is not None or slashes:
                words.append((word or "") + slashes)
            word = None
        else:
            word = (word or "") + slashes + sign
        at += 1
    if word is not None:
        words.append(word)
    return words
