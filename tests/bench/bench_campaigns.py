"""Campaigns: pairs joined rightly and wrongly, by kind of edit and share of words changed; speed.

The gold's groups, edits and own words were written before the detector. ``FLORILEGIUM_BENCH_ANSWERS``
is the number of answers of the speed row (100,000 unless set). Seeds below 30 were looked at while the
detector was made; the seeds here were not.
"""

from __future__ import annotations

import os
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from pipelines.campaigns import Answer, Campaign, find_campaigns
from pipelines.campaigns.verify import Weights, likeness
from pipelines.campaigns.words import message_words
from tests.bench.campaign_gold import LONG, CampaignGold, GoldDocument, campaign_gold
from tests.bench.measure import evaluation_data, print_row

SEEDS = (31, 32, 33)
_SHARES = ((0.0, 0.0), (0.0, 0.05), (0.05, 0.10), (0.10, 0.15), (0.15, 0.20))
_VERBATIM = 0.9
"""Likeness from which two "unrelated" real comments say the same: the data has such repeats."""

_Judged = tuple[Sequence[GoldDocument], dict[int, int], tuple[Campaign, ...]]


def main() -> None:
    """Print a row a seed, rows by edit and share, own words, and the speed."""
    evaluation_data()
    every: list[_Judged] = []
    for seed in SEEDS:
        gold = campaign_gold(4_000, seed=seed)
        campaigns, costs = _found(gold.documents)
        group = _group_of(campaigns)
        _print_pairs(gold, group, seed=seed, **costs)
        every.append((gold.documents, group, campaigns))
    _print_by_edit(every)
    _print_own_words(every)
    answers = int(os.environ.get("FLORILEGIUM_BENCH_ANSWERS", "100000"))
    gold = campaign_gold(answers, generated=True, seed=SEEDS[0])
    campaigns, costs = _found(gold.documents)
    _print_pairs(gold, _group_of(campaigns), data="to size", seed=SEEDS[0], **costs)


def _found(documents: Sequence[GoldDocument]) -> tuple[tuple[Campaign, ...], dict[str, float]]:
    answers = [Answer(place, one.key, one.text) for place, one in enumerate(documents)]
    wall, cpu = time.perf_counter(), time.process_time()
    campaigns = find_campaigns(answers)
    costs = {"seconds": time.perf_counter() - wall, "cpu_seconds": time.process_time() - cpu}
    return campaigns, costs


def _group_of(campaigns: Iterable[Campaign]) -> dict[int, int]:
    return {m.document: number for number, one in enumerate(campaigns) for m in one.members}


def _gold_of(documents: Sequence[GoldDocument]) -> dict[int, str]:
    return {place: one.group for place, one in enumerate(documents) if one.group}


def _pairs(groups: Iterable[object]) -> int:
    return sum(n * (n - 1) // 2 for n in Counter(groups).values())


def _print_pairs(
    made: CampaignGold, group: dict[int, int], *, data: str = "gold", **values: float
) -> None:
    documents = made.documents
    gold = _gold_of(documents)
    found, right = _pairs(group.values()), _pairs(gold.values())
    shared = _pairs((group[place], gold[place]) for place in group if place in gold)
    members: dict[int, list[int]] = defaultdict(list)
    for place, number in group.items():
        members[number].append(place)
    joined, long, repeats = 0, 0, 0
    for places in members.values():
        for one in (place for place in places if documents[place].kind != "copy"):
            others = [
                place
                for place in places
                if place != one and (documents[place].kind == "copy" or place > one)
            ]
            joined += len(others)
            if _size(documents[one].text) < LONG:
                continue
            lengthy = [place for place in others if _size(documents[place].text) >= LONG]
            long += len(lengthy)
            repeats += sum(_holds(documents[one], documents[p], made.templates) for p in lengthy)
    print_row(
        "campaigns",
        data=data,
        answers=len(documents),
        groups=len(set(gold.values())),
        precision=shared / found if found else 0.0,
        recall=shared / right if right else 0.0,
        f1=2 * shared / (found + right),
        unrelated_pairs_joined=joined,
        of_20_words_each=long,
        of_these_one_holds_the_other=repeats,
        **values,
    )


def _print_by_edit(every: Sequence[_Judged]) -> None:
    """Print, for copies with each edit and in each band of change, how they were joined."""
    right: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    found: Counter[str] = Counter()
    copies: Counter[str] = Counter()
    for documents, group, _ in every:
        gold = _gold_of(documents)
        in_gold, in_found = Counter(gold.values()), Counter(group.values())
        cells = Counter((group[place], gold[place]) for place in gold if place in group)
        for place, label in gold.items():
            for name in _names(documents[place]):
                copies[name] += 1
                wanted[name] += in_gold[label] - 1
                if place in group:
                    found[name] += in_found[group[place]] - 1
                    right[name] += cells[group[place], label] - 1
    for name in sorted(copies):
        precision = right[name] / found[name] if found[name] else 0.0
        recall = right[name] / wanted[name] if wanted[name] else 0.0
        print_row(
            "campaigns",
            data="copies with: " + name,
            copies=copies[name],
            precision=precision,
            recall=recall,
            f1=2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        )


def _names(one: GoldDocument) -> set[str]:
    names = {edit.kind for edit in one.edits} or {"no edit"}
    for low, high in _SHARES:
        if low < one.changed <= high or one.changed == high == 0.0:
            names.add(f"{low:.0%} to {high:.0%} of words changed" if high else "no word changed")
    return names


def _print_own_words(every: Sequence[_Judged]) -> None:
    """Print how well the characters of added paragraphs are found among the senders' own words."""
    shared = found = wanted = 0
    for documents, _, campaigns in every:
        for campaign in campaigns:
            for member in campaign.members:
                one = documents[member.document]
                if not one.group:
                    continue
                own = _places(member.own)
                frame = _places((s, e) for s, e, kind in one.own if kind == "frame")
                gold_own = _places((s, e) for s, e, kind in one.own if kind != "frame")
                own = {p for p in own - frame if not one.text[p].isspace()}
                gold_own = {p for p in gold_own if not one.text[p].isspace()}
                shared += len(own & gold_own)
                found += len(own)
                wanted += len(gold_own)
    precision, recall = shared / max(1, found), shared / max(1, wanted)
    print_row(
        "campaigns",
        data="own words, by character",
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / max(1e-9, precision + recall),
    )


def _places(spans: Iterable[tuple[int, int]]) -> set[int]:
    return {place for start, end in spans for place in range(start, end)}


def _holds(one: GoldDocument, other: GoldDocument, templates: dict[str, str]) -> bool:
    """Tell whether one says what the other does, or what the letter does of which it is a copy."""
    letters = [templates[other.group]] if other.group else []
    return any(_same(one.text, text) for text in (other.text, *letters))


def _same(one: str, other: str) -> bool:
    a, b = (tuple(word.form for word in message_words(text)) for text in (one, other))
    return likeness(a, b, Weights()) >= _VERBATIM


def _size(text: str) -> int:
    return len(text.split())


if __name__ == "__main__":
    main()
