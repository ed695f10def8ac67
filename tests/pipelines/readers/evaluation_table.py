"""The expected counts of the public evaluation sets: a table, written before the rules.

Each line of ``EXPECTED`` is one file: how many documents, which columns hold the text, how many of
their cells are blank, and the roles that matter. ``SKIPPED`` are the files in which nobody answers
anything. No mapping file is needed for any of them: ``mapping`` would hold at most three lines.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pipelines.types import Role

CODED = {Role.CLOSED_SINGLE, Role.SCALE, Role.DEMOGRAPHIC}


@dataclass(frozen=True)
class Expected:
    """One file of a set (``folder`` is what the user names)."""

    folder: str
    file: str
    documents: int
    texts: tuple[str, ...]
    blank: int = 0
    roles: dict[str, str | set[Role]] = field(default_factory=dict)
    questions: int | None = None  # distinct ones, where a column holds them
    respondent: str = ""  # the metadata that names the respondent
    header_rows: tuple[int, ...] = (1,)
    mapping: tuple[str, ...] = ()


def polis(conversation: str, documents: int, blank: int = 0) -> Expected:
    return Expected(
        f"consultation/polis_opendata/{conversation}",
        "comments.csv",
        documents,
        ("comment-body",),
        blank,
        {"comment-id": Role.IDENTIFIER, "author-id": Role.IDENTIFIER, "agrees": Role.NUMBER},
        respondent="author-id",
    )


def kpa(file: str, documents: int, text: str, topics: int, identifier: str) -> Expected:
    roles: dict[str, str | set[Role]] = {identifier: Role.IDENTIFIER, "topic": Role.QUESTION}
    roles["stance"] = CODED
    return Expected("consultation/ibm_kpa_2021", file, documents, (text,), 0, roles, topics)


def anes(number: int, documents: int) -> Expected:
    return Expected(
        "consultation/anes2008_open_ended",
        f"dataset{number}_Xtrain.csv",
        documents,
        ("verbatim",),
        roles={"caseID": Role.IDENTIFIER},
        respondent="caseID",
    )


def mts(file: str, rows: int) -> Expected:
    return Expected(
        "clinical/mts-dialog",
        file,
        2 * rows,
        ("section_text", "dialogue"),
        roles={"ID": Role.IDENTIFIER, "section_header": Role.CLOSED_SINGLE},
    )


def aci(file: str, rows: int) -> Expected:
    roles: dict[str, str | set[Role]] = {"encounter_id": Role.IDENTIFIER, "dataset": CODED}
    return Expected("clinical/aci-bench", file, 2 * rows, ("dialogue", "note"), roles=roles)


EXPECTED = [
    polis("15-per-hour-seattle", 54),
    polis("american-assembly.bowling-green", 896),
    polis("bg2050-volunteers", 371),
    polis("brexit-consensus", 50),
    polis("canadian-electoral-reform", 174),
    polis("football-concussions", 298, blank=1),
    polis("london.youth.policing", 39),
    polis("march-on.operation-marchin-orders", 2162),
    polis("scoop-hivemind.affordable-housing", 165),
    polis("scoop-hivemind.biodiversity", 316),
    polis("scoop-hivemind.freshwater", 80),
    polis("scoop-hivemind.taxes", 148),
    polis("scoop-hivemind.ubi", 71),
    polis("ssis.land-bank-farmland.2rumnecbeh.2021-08-01", 297),
    kpa("arguments_dev.csv", 932, "argument", 4, "arg_id"),
    kpa("arguments_train.csv", 5583, "argument", 24, "arg_id"),
    kpa("key_points_dev.csv", 36, "key_point", 4, "key_point_id"),
    kpa("key_points_train.csv", 207, "key_point", 24, "key_point_id"),
    Expected(
        "consultation/nhs_fft_pxtextmining",
        "v6framework_230831.csv",
        5578,
        ("FFT answer",),
        365,
        {
            "Comment ID": Role.IDENTIFIER,
            "Respondent ID": Role.IDENTIFIER,
            "Trust": CODED,
            "Date": Role.DATE,
            "Service type 1": CODED,
            "FFT categorical answer": CODED,
            "FFT question": Role.QUESTION,
            "Person identifiable info?": Role.EMPTY,
            "Comment sentiment": CODED,
            "Choice of services": Role.EMPTY,
        },
        questions=5,  # six spellings
        respondent="Respondent ID",
    ),
    *(
        anes(number, documents)
        for number, documents in enumerate(
            (211, 258, 3948, 4190, 1895, 7569, 1888, 1883, 1889, 1878), 1
        )
    ),
    *(
        Expected(
            "consultation/themefinder_synthetic",
            f"gambling_XS/inputs/question_part_{part}/responses.jsonl",
            100,
            ("response",),
            roles={"response_id": Role.IDENTIFIER},
            questions=1,
            respondent="response_id",
            header_rows=(),
        )
        for part in (1, 2)
    ),
    Expected(
        "consultation/themefinder_synthetic",
        "generation/eval_sentiments.csv",
        1000,
        ("response",),
        roles={"response_id": Role.IDENTIFIER, "position": CODED},
        respondent="response_id",
    ),
    Expected(
        "consultation/consult_import_shapes",
        "responses_lgr_format.csv",
        10,
        (
            "Prop 1 Q8 - Please use this space to explain your answers to questions 1-7",
            "Prop 2 Q8 - Please use this space to explain your answers to questions 1-7",
        ),
        roles={"Prop 1 Q1 - Do you agree or disagree with the proposal?": CODED},
    ),
    Expected(
        "consultation/consult_import_shapes",
        "responses_scr_format.csv",
        5,
        ("What role would you and/or your organisation play in achieving these outcomes?",),
        roles={
            "Responding as": CODED,
            "Where do the proposed outcomes sit on a scale from very useful to not useful at all?": CODED,
        },
    ),
    Expected(
        "consultation/consult_import_shapes",
        "consult_data_template_v005.xlsx",
        120,  # 40 respondents; of eight sheets only “Responses” is read
        (
            "Q1: Please explain the reasoning behind your level of support for the proposal.",
            "Q2: Please explain why you rated the importance of this issue the way you did.",
            "Q3: Do you have any other suggestions or comments you would like to share with us?",
        ),
        23,  # 3 + 6 + 14
        {
            "respondent_id": Role.IDENTIFIER,
            "Which region of the UK do you live in?": Role.DEMOGRAPHIC,
            "Which age band are you in?": Role.DEMOGRAPHIC,
            "What type of organisation are you responding on behalf of?": CODED,
            "Q1: To what extent do you support the proposal set out in chapter 3?": CODED,
            "Q2: How important is this issue to you personally?": CODED,
            "Q4: Would you recommend this approach to others working in a similar context?": CODED,
        },
        respondent="respondent_id",
    ),
    aci("train.csv", 67),
    aci("valid.csv", 20),
    mts("MTS-Dialog-TestSet-1-MEDIQA-Chat-2023.csv", 200),
    mts("MTS-Dialog-TrainingSet.csv", 1201),
    mts("MTS-Dialog-ValidationSet.csv", 100),
]

SKIPPED = [
    ("consultation/polis_opendata/brexit-consensus", "participants-votes.csv"),
    ("consultation/polis_opendata/canadian-electoral-reform", "participants-votes.csv"),
    ("consultation/polis_opendata/scoop-hivemind.affordable-housing", "participants-votes.csv"),
    ("consultation/ibm_kpa_2021", "labels_dev.csv"),
    ("consultation/ibm_kpa_2021", "labels_train.csv"),
    *(("consultation/anes2008_open_ended", f"dataset{i}_ytrain.csv") for i in range(1, 11)),
    ("consultation/themefinder_synthetic", "gambling_XS/inputs/respondents.jsonl"),
    *(
        (
            "consultation/themefinder_synthetic",
            f"gambling_XS/inputs/question_part_{i}/question.json",
        )
        for i in (1, 2)
    ),
    *(
        (
            "consultation/themefinder_synthetic",
            f"gambling_XS/outputs/mapping/2025-07-22/question_part_{i}/{name}",
        )
        for i in (1, 2)
        for name in ("detail_detection.jsonl", "mapping.jsonl", "sentiment.jsonl", "themes.json")
    ),
    ("consultation/themefinder_synthetic", "generation/framework_themes.json"),
    ("consultation/consult_import_shapes", "responses_biomass_format.csv"),  # closed answers only
    ("consultation/consult_import_shapes", "qu_format_a_numeric.xlsx"),  # lists of questions
    ("consultation/consult_import_shapes", "qu_format_b_instruction.xlsx"),
    ("clinical/aci-bench", "train_metadata.csv"),
    ("clinical/aci-bench", "valid_metadata.csv"),
]
