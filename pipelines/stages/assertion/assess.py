"""Say of every tag whether it is negated, possible, hypothetical, in the past, and of whom."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pipelines.stages.assertion.cue import ATTRIBUTES, Cue
from pipelines.stages.assertion.line import Line
from pipelines.stages.assertion.lines import answer_to, whole_lines
from pipelines.stages.assertion.phrases import Token, tokens
from pipelines.stages.assertion.rules import Rules, bundled_rules
from pipelines.stages.assertion.scan import Found, find_cues
from pipelines.stages.assertion.sections import Heading, Sections
from pipelines.types import Segment, Tag

_SHOWN = ("negated", "possible", "hypothetical", "experiencer", "historical")


@dataclass(frozen=True, slots=True)
class _Hold:
    """What holds at a word: the cue, its characters, and how many words away it is."""

    cue: Cue
    start: int
    end: int
    distance: int
    forward: bool = True


def assert_tags(
    text: str,
    sentences: Sequence[Segment],
    tags: Sequence[Tag],
    attributes: Iterable[str] = ATTRIBUTES,
    rules: Rules | None = None,
) -> tuple[Tag, ...]:
    """Return the tags with the attributes assessed, in the same order.

    An attribute of ``attributes`` becomes true or false (``experiencer``: patient, family or
    other); the rest stays ``None``. ``cue`` with ``cue_start`` and ``cue_end`` are the words behind
    the first of negated, possible, hypothetical, experiencer and historical that holds;
    ``text[cue_start:cue_end] == cue``. Offsets are code points. ``rules`` default to the bundled
    ones.
    """
    wanted = frozenset(attributes)
    if unknown := wanted - set(ATTRIBUTES):
        raise ValueError(
            f"attributes {sorted(unknown)} are not known, expected some of {', '.join(ATTRIBUTES)}"
        )
    if not wanted or not tags:
        return tuple(tags)
    used = rules if rules is not None else bundled_rules()
    order = sorted(range(len(tags)), key=lambda n: tags[n].start)
    answers: list[Mapping[str, _Hold]] = [{}] * len(tags)
    lines = whole_lines(text, sentences, used) or [(0, len(text))]
    sections = Sections(text, used)
    place = 0
    for number, (start, end) in enumerate(lines):
        inside = []
        limit = lines[number + 1][0] if number + 1 < len(lines) else len(text) + 1
        while place < len(order) and tags[order[place]].start < limit:
            inside.append(order[place])
            place += 1
        if not inside and ":" not in text[start:end] and end - start > 80:
            sections.read((), start, end)
            continue
        words = tokens(text, start, end)
        headings = sections.read(words, start, end)
        if not inside or not words:
            continue
        reply = answer_to(text, end, lines, number, used)
        for n, holds in zip(
            inside,
            _assess(text, words, headings, [tags[n] for n in inside], wanted, used, reply),
            strict=True,
        ):
            answers[n] = holds
    return tuple(_with(tag, holds, wanted, text) for tag, holds in zip(tags, answers, strict=True))


def _assess(
    text: str,
    words: list[Token],
    headings: Sequence[tuple[int, Heading]],
    tags: Sequence[Tag],
    wanted: frozenset[str],
    rules: Rules,
    reply: Token | None,
) -> list[dict[str, _Hold]]:
    """Return for each tag of a line what holds of it, by attribute."""
    starts, ends = [word.start for word in words], [word.end for word in words]
    final = len(words) - 1
    spans = [(min(bisect_right(ends, t.start), final), bisect_left(starts, t.end)) for t in tags]
    within: dict[int, tuple[int, int]] = {}
    for tag, span in zip(tags, spans, strict=True):
        if tag.displayed:
            for place in range(*span):
                if place not in within or within[place][1] - within[place][0] < span[1] - span[0]:
                    within[place] = span
    line = Line(text, [word.word for word in words], words, within)
    found = find_cues(line, rules, wanted)
    edges = sorted({place for first, end in spans for place in (first, max(first, end - 1))})
    reached = _reached(found, words, edges)
    own: dict[int, list[Found]] = {}
    for each in found:
        own.setdefault(each.first, []).append(each)
    results = []
    for first, end in spans:
        holds: dict[str, _Hold] = {}
        last = max(first, end - 1)
        for attribute, places in reached.items():
            near = [
                hold
                for hold in (*places.get(first, ()), *places.get(last, ()))
                if (hold.start < starts[first] if hold.forward else hold.end > ends[last])
            ]
            if near:
                holds[attribute] = min(near, key=lambda hold: hold.distance)
        for place in range(first, end):
            for each in own.get(place, ()):
                edge = each.first == first or (each.end == end and each.cue.direction == "backward")
                if edge and each.end <= end and (each.cue.inside or each.cue.direction == "here"):
                    holds.setdefault(
                        each.cue.sets, _Hold(each.cue, starts[each.first], ends[each.end - 1], 0)
                    )
        _under_heading(holds, headings, first, wanted)
        if reply is not None:
            if reply.word in rules.words["answer"] and "negated" in wanted:
                holds.setdefault(
                    "negated", _Hold(Cue("negated", "backward"), reply.start, reply.end, 0)
                )
            if (asked := holds.get("possible")) and text[asked.start : asked.end] == "?":
                del holds["possible"]
        _settle(holds)
        results.append(holds)
    return results


def _reached(
    found: Sequence[Found], words: Sequence[Token], edges: Sequence[int]
) -> dict[str, dict[int, list[_Hold]]]:
    """Return by attribute and word of ``edges`` the nearest cue before it and behind it."""
    reached: dict[str, dict[int, list[_Hold]]] = {}
    for forward in (True, False):
        # The nearer cue is written last and replaces the farther one.
        for each in found if forward else reversed(found):
            places = reached.setdefault(each.cue.sets, {})
            start, end = words[each.first].start, words[each.end - 1].end
            # A tag may begin inside the cue: "no [history of asthma]".
            low, high = (each.first + 1, each.right) if forward else (each.left, each.end - 1)
            if (forward and each.right <= each.end) or (not forward and each.left >= each.first):
                continue
            for place in edges[bisect_left(edges, low) : bisect_left(edges, high)]:
                distance = max(0, place - each.end if forward else each.first - place - 1)
                hold = _Hold(each.cue, start, end, distance, forward)
                kept = [one for one in places.get(place, ()) if one.forward != forward]
                places[place] = [*kept, hold]
    return reached


def _under_heading(
    holds: dict[str, _Hold],
    headings: Sequence[tuple[int, Heading]],
    first: int,
    wanted: frozenset[str],
) -> None:
    number = bisect_right(headings, first, key=lambda pair: pair[0]) - 1
    heading = headings[number][1] if number >= 0 else Heading()
    for cue in heading.cues:
        if cue.sets in wanted:
            holds.setdefault(cue.sets, _Hold(cue, heading.start, heading.end, 1_000))


def _settle(holds: dict[str, _Hold]) -> None:
    """Drop what another attribute overrules: "no suspected fracture" is not a possible one."""
    negated, possible = holds.get("negated"), holds.get("possible")
    if negated and possible and negated.forward and negated.start < possible.start:
        del holds["possible"]
    feared = holds.get("hypothetical")
    if negated and feared and feared.forward and not negated.forward:
        del holds["hypothetical"]  # "the screen for malaria was negative"
    past, whom = holds.get("historical"), holds.get("experiencer")
    if past and whom and past.cue.direction == "here" and whom.cue.direction == "section":
        del holds["historical"]  # no list of the patient's own problems


def _with(tag: Tag, holds: Mapping[str, _Hold], wanted: frozenset[str], text: str) -> Tag:
    values: dict[str, object] = {name: name in holds for name in wanted if name != "experiencer"}
    if "experiencer" in wanted:
        whom = holds.get("experiencer")
        values["experiencer"] = whom.cue.value if whom is not None else "patient"
    for name in _SHOWN:
        hold = holds.get(name)
        if hold is not None and (name != "experiencer" or hold.cue.value != "patient"):
            values |= {
                "cue": text[hold.start : hold.end],
                "cue_start": hold.start,
                "cue_end": hold.end,
            }
            break
    return replace(tag, **values)  # type: ignore[arg-type]
