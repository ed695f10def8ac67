"""What people and officers wrote in the exports of ``test_exports_*.py``; all of it made up."""

from __future__ import annotations

PARK = (
    "The playground is tired and the toilets are always locked.",
    "I use the park every day with my dog. Please don't turn it into a car park!",
    "More lighting on the path by the canal, I don't feel safe after 4pm in winter.",
    "Café is good but too dear.",
    "We would welcome a skate ramp, our teenagers have nothing to do",
    "",
    "Fine as it is",
    "The plans ignore wheelchair users; the gradient at Mill Lane is 1:8.",
    "Who will pay for upkeep? The council can't look after what it has.",
    "Trees. More trees. And benches under the trees.",
)
BUS = (
    "The 43 no longer stops at the surgery and my husband cannot walk that far.",
    "Fares went up twice in a year",
    "Drivers are friendly, the timetable is fiction.",
    "I gave up and bought a car.",
    "Need a Sunday service - even two hourly would help people get to work or church.",
    "n/a",
    "Real-time displays show buses that never come. Ring me on 07700 900123 if you want examples.",
    "Run smaller buses more often",
    "My son missed college three times last month because of it.",
    "please bring back the night bus",
)
PLAN = (
    "Policy H4 is unsound because the trajectory relies on Land at Coldharbour Farm, which floods.",
    "We support the allocation but consider that the density should be increased to 45 dwellings per hectare.",
    "Object. The junction of the A27 and Station Road is already over capacity (see Transport Assessment para 4.12).",
    "The plan does not comply with paragraph 11 of the NPPF.",
    "No account is taken of the setting of St Mary's Church, a Grade I listed building.",
    "Our client controls the land and confirms that it is available now.",
    "The evidence base is out of date",
    "Biodiversity net gain of 20% should be required, not 10%.",
)
SUMMARY = (
    "Site H4 at risk of flooding; trajectory unsound.",
    "Supports allocation; seeks higher density.",
    "Traffic at A27 junction.",
    "Not consistent with national policy.",
    "Harm to heritage asset.",
    "Site is available and deliverable.",
    "Evidence base should be updated.",
    "Seeks 20% BNG.",
)
OFFICER = (
    "Noted. The flood risk sequential test has been updated; see Topic Paper 3.",
    "Comment welcomed. No change proposed.",
    "National Highways has raised no objection. No change.",
    "Disagree. The policy is consistent with the Framework.",
    "Amend criterion (c) to refer to the setting of the church.",
    "Noted.",
    "The evidence base was refreshed in March. No change.",
    "The Council considers that 10% is justified.",
)
SHORT = ("Parking", "potholes", "Buses", "the noise", "Litter", "More bins", "dog mess", "", "speeding", "Toilets")  # fmt: skip
PEOPLE = (
    "Helen Marsh", "Gareth Pugh", "Mr D. Osei", "Siobhan O'Neill", "Priya Nair", "Tom Birkett",
    "Mrs J Fairclough", "Ahmed Rahman", "Wendy Lowe", "Pawel Nowak",
)  # fmt: skip
OFFICERS = ("Claire Dobson", "Raj Patel", "Claire Dobson", "Lynne Webster")
MAILS = tuple(
    f"{name.split()[-1].lower().replace(chr(39), '')}{i}@example.org"
    for i, name in enumerate(PEOPLE)
)
PHONES = tuple(f"07700 9001{i}{i + 2}" for i in range(8))
STREETS = ("12 Mill Lane, Overton", "4 The Green", "Flat 3, 18 Castle Street", "Rose Cottage, Church Road", "77 Station Road", "9 Weir View, Overton")  # fmt: skip
CODES = ("OV1 2AB", "OV1 3CD", "OV2 4EF", "OV1 2AC", "OV3 9ZZ")
AGREE = (
    "Strongly agree",
    "Agree",
    "Disagree",
    "Neither agree nor disagree",
    "Strongly disagree",
    "Agree",
)
AGES = ("35-44", "65+", "25-34", "45-54", "Prefer not to say")
THEMES = (
    "Access",
    "Cost; Maintenance",
    "Safety",
    "Cost",
    "Young people",
    "",
    "No change",
    "Access; Disability",
)
SENTIMENT = ("Negative", "Mixed", "Negative", "Positive", "Neutral")
UK = ("03/02/2025 09:14", "03/02/2025 21:40", "14/02/2025 08:02", "28/02/2025 23:58")
ISO = ("2025-02-03T09:14:22Z", "2025-02-03T21:40:05Z", "2025-02-14T08:02:51Z")
IPS = ("81.2.69.142", "81.2.69.160", "203.0.113.7")
