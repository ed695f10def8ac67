"""Where statements go: a named graph each, the default graph too, and words in graphs of their own.

Statements travel as N-Triples lines, each ending with :data:`END`. A line of the default graph is
such a line; that of a named graph has the graph's name before the full stop.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ontology import terms

END = " .\n"
"""The end of a line. Literals escape line ends, so that it stands nowhere else."""


@dataclass(slots=True)
class GraphNames:
    """What became of the named graphs: filled while the quads stream past.

    ``private`` graphs hold words of private collections; ``superseded`` ones old results.
    """

    seen: set[str] = field(default_factory=set)
    private: set[str] = field(default_factory=set)
    superseded: set[str] = field(default_factory=set)

    def place(self, lines: str, graph: str, *, shown: bool = True) -> str:
        """Return the lines in the named graph and, where they are shown, in the default graph."""
        if not lines:
            return ""
        self.seen.add(graph)
        named = lines.replace(END, f" <{graph}> .\n")
        return named + lines if shown else named

    def words(self, lines: str, graph: str, *, private: bool, shown: bool = True) -> str:
        """Return lines that hold people's own words, in the graph ``graph`` that is theirs.

        Those of a private collection are never in the default graph, but together in PRIVATE_TEXT.
        """
        if not lines:
            return ""
        if not private:
            return self.place(lines, graph, shown=shown)
        self.private.add(graph)
        named = self.place(lines, graph, shown=False)
        if not shown:
            return named
        self.private.add(terms.PRIVATE_TEXT)
        return named + self.place(lines, terms.PRIVATE_TEXT, shown=False)


@dataclass(slots=True)
class Lines:
    """Statements on their way to one graph, and apart from them the people's own words."""

    graph: str
    quotes: str
    private: bool
    shown: bool = True
    out: list[str] = field(default_factory=list)
    spoken: list[str] = field(default_factory=list)

    def placed(self, names: GraphNames) -> Iterator[str]:
        """Yield everything as N-Quads."""
        if not self.shown:
            names.superseded.update((self.graph, self.quotes))
        yield names.place("".join(self.out), self.graph, shown=self.shown)
        yield names.words("".join(self.spoken), self.quotes, private=self.private, shown=self.shown)

    def say(self, line: str, *, words: bool = False) -> None:
        """Add one statement, given without its end; ``words``: it may hold people's own words."""
        (self.spoken if words else self.out).append(line + END)
