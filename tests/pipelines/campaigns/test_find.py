"""Copies are grouped whatever was done to them; other texts are left alone."""

from __future__ import annotations

import random

from pipelines.campaigns import Answer, find_campaigns, method_text
from pipelines.campaigns.words import message_words

LETTER = (
    "The council wants to close the library on Mill Lane from next spring. Hundreds of families "
    "use its reading groups every week, and the nearest other branch is two bus rides away. We ask "
    "the council to keep the building open and to publish what the closure would really save."
)
POOL = (
    "My daughter learnt to swim at the old baths and now swims for the county. Without them the "
    "only lanes left are private, and no pupil from our school could pay for those. Please repair "
    "the roof before another winter makes it worse."
)
OTHERS = (
    "I walk past the market each morning and the rubbish is left out until noon, which attracts gulls.",
    "More trees along the ring road would keep the noise down and give some shade to those who wait.",
    "Our street has been promised a crossing since the school was built and still nothing happens.",
)


def answer(number: int, text: str, respondent: str = "", question: str = "q") -> Answer:
    return Answer(number, f"k{number:03}", text, question, respondent)


def groups(*texts: str) -> list[list[int]]:
    found = find_campaigns([answer(n, text) for n, text in enumerate(texts)])
    return sorted(sorted(member.document for member in one.members) for one in found)


def test_the_same_words_are_copies_whatever_case_marks_and_lines() -> None:
    other = LETTER.upper().replace(". ", "...\n").replace(",", "")
    (found,) = find_campaigns([answer(0, LETTER), answer(1, other), answer(2, OTHERS[0])])
    assert found.kind == "copy"
    assert [member.document for member in found.members] == [0, 1]
    assert all(member.exact and not member.own for member in found.members)


def test_wrapped_quoted_and_forwarded_mail_is_a_copy() -> None:
    words = LETTER.split()
    lines = ["> " + " ".join(words[i : i + 9]) for i in range(0, len(words), 9)]
    mail = "From: A. Reader\nSubject: Fwd: library\n\nDear Sir or Madam,\n\n" + "\n".join(lines)
    mail += "\n\nKind regards,\nA. Reader\n\nThis e-mail and any attachments are confidential."
    assert groups(LETTER, mail, *OTHERS) == [[0, 1]]


def test_a_fifth_of_the_words_changed_is_still_a_copy() -> None:
    words = LETTER.split()
    for seed in range(5):
        rng = random.Random(seed)
        changed = list(words)
        for place in rng.sample(range(len(words)), len(words) // 5):
            changed[place] = rng.choice(("rn0del", "forest", "slowly", "beneath", "purple"))
        assert groups(LETTER, " ".join(changed), *OTHERS) == [[0, 1]]


def test_own_words_are_what_the_others_do_not_have() -> None:
    own = "My late husband taught evening classes there."
    texts = [LETTER, LETTER + "\n\n" + own, LETTER.replace("Mill Lane", "Station Road")]
    (found,) = find_campaigns([answer(n, text) for n, text in enumerate(texts)])
    assert found.kind == "campaign"
    words = {
        m.document: [texts[m.document][start:end] for start, end in m.own] for m in found.members
    }
    assert words == {0: [], 1: [own.rstrip(".")], 2: ["Station Road"]}
    assert "Hundreds of families" in found.template
    assert all(part in LETTER for part in found.template.split(" … "))


def test_a_dropped_sentence_lowers_the_likeness() -> None:
    shorter = LETTER.split(". ", 1)[1]
    (found,) = find_campaigns([answer(0, LETTER), answer(1, shorter), answer(2, LETTER)])
    by_document = {member.document: member for member in found.members}
    assert by_document[0].likeness == 1.0
    assert 0.5 < by_document[1].likeness < 1.0


def test_other_texts_are_not_joined_by_a_shared_opening_or_notice() -> None:
    opening = "I live in Ashby and I am writing about your consultation on the plan. "
    notice = "\n\nViews given here are those of the sender and not always those of the firm."
    texts = [opening + text + notice for text in (*OTHERS, LETTER, POOL)]
    assert groups(*texts) == []


def test_turns_of_phrase_scattered_over_a_longer_answer_make_no_copy() -> None:
    words, filler = LETTER.split()[:25], " ".join(OTHERS).split()
    longer = [
        word for n in range(5) for word in (*words[5 * n : 5 * n + 4], *filler[9 * n : 9 * n + 9])
    ]
    assert groups(" ".join(words), " ".join(longer), POOL) == []


def test_a_stretch_of_words_inside_two_answers_makes_no_copy() -> None:
    stretch = " ".join(LETTER.split()[3:19])
    one = f"Cyclists told me {stretch} while gulls"
    other = f"{OTHERS[0]} {stretch} {OTHERS[1]}"
    assert groups(one, other, POOL) == []


def test_a_long_answer_that_quotes_a_short_one_is_no_copy() -> None:
    short = "Please keep the reading groups on Mill Lane going through every winter."
    assert groups(short, f"{POOL} {short} {OTHERS[0]}", f"{OTHERS[1]} {short} {OTHERS[2]}") == []
    assert groups(short, f"{short} My family has used them for years.", POOL) == [[0, 1]]


def test_one_word_over_and_over_is_no_message() -> None:
    assert groups("asdf " * 40, "asdf " * 40, "asdf " * 60 + OTHERS[0], POOL) == []


def test_short_answers_are_no_campaign() -> None:
    assert (
        groups("No comment.", "No comment", "Great staff, thank you", "Great staff, thank you")
        == []
    )


def test_two_letters_are_two_campaigns() -> None:
    assert groups(LETTER, POOL, LETTER + " Thank you.", POOL.lower(), *OTHERS) == [[0, 2], [1, 3]]


def test_the_order_of_the_answers_does_not_matter() -> None:
    rng = random.Random(3)
    answers = [answer(n, text) for n, text in enumerate((LETTER, POOL, *OTHERS))]
    for number in range(10, 40):
        words = rng.choice((LETTER, POOL)).split()
        words[rng.randrange(len(words))] = rng.choice(("never", "always", "town"))
        answers.append(answer(number, " ".join(words)))
    first = find_campaigns(answers)
    assert [one.kind for one in first] == ["campaign", "campaign"]
    for seed in range(3):
        shuffled = answers[:]
        random.Random(seed).shuffle(shuffled)
        assert find_campaigns(shuffled) == first


def test_one_respondent_twice_under_a_question_is_found_by_identifier() -> None:
    given = [answer(0, OTHERS[0], "r1"), answer(1, OTHERS[1], "r1"), answer(2, OTHERS[2], "r2")]
    (found,) = find_campaigns([*given, answer(3, POOL, "r2", "another question")])
    assert (found.kind, found.respondent, found.question) == ("respondent", "r1", "q")
    assert [member.document for member in found.members] == [0, 1]


def test_a_long_answer_sent_twice_may_be_one_persons() -> None:
    (found,) = find_campaigns([answer(0, LETTER), answer(1, LETTER), answer(2, POOL)])
    assert found.kind == "copy"
    assert found.likely_one_person


def test_a_word_divided_by_a_line_end_is_one_word() -> None:
    forms = [word.form for word in message_words("a consul-\n> tation on the coun=\ncil’s plan")]
    assert forms == ["a", "consultation", "on", "the", "councils", "plan"]


def test_places_of_words_are_places_in_the_text() -> None:
    text = "Dear all,\n\nPlease keep it. \n\nKind regards,\nJo"
    assert [text[w.start : w.end] for w in message_words(text)] == ["Please", "keep", "it"]


def test_the_method_says_its_thresholds() -> None:
    said = method_text()
    assert "60%" in said
    assert "campaigns counted once" in said
