"""Exports of survey programs that no layout is known of, and of surveys with odd columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pipelines.readers.tables.export_texts import (
    AGES,
    AGREE,
    BUS,
    CODES,
    IPS,
    MAILS,
    PARK,
    PEOPLE,
    SHORT,
    UK,
)
from tests.pipelines.readers.tables.exports import Export, faults, of

WANT = "What, if anything, would you change about Mill Park (e.g. paths, toilets, “the café”)?"
SURVEYS = (
    Export("snap", 10, (
        of("ID.name", "I", "{}"), of("ID.completed", "DX", *UK), of("ID.start", "D", *UK),
        of("ID.seconds", "OY", "312", "1045", "98", "640"),
        of("V1", "OC", *AGREE), of("V1.a", "F", *PARK),
        of("V2:1", "OM", "1", "0"), of("V2:2", "OM", "0", "1", "1"), of("V2:3", "OM", "0", "0", "1"),
        of("V3", "F", *BUS),
    )),
    Export("jisc", 10, (
        of("Unique Response Number", "I", "1024-1023-1012{}"), of("1. Are you a student or a member of staff?", "O", "Student", "Staff"),
        of("1.a. If you selected Other, please specify:", "F", "", "", "", "", "visiting lecturer", "", "alumna", "", "", ""),
        of("2. How satisfied are you with the library opening hours?", "C", "Very satisfied", "Fairly satisfied", "Not at all satisfied"),
        of("2.a. Please explain your answer.", "F", *PARK), of("3. What one thing should we change?", "F", *SHORT),
    )),
    Export("limesurvey wordings", 10, (
        of("Response ID", "I", "{}"), of("Date submitted", "D", "2025-02-03 09:14:22", "1980-01-01 00:00:00", "2025-02-05 11:00:03"),
        of("Last page", "OX", "4"), of("Start language", "O", "en", "en", "cy"), of("Seed", "O", "19283746{}"),
        of("Which of these do you use? [Bus]", "M", "Yes", "No"), of("Which of these do you use? [Train]", "M", "No", "Yes", "No"),
        of("Which of these do you use? [Other]", "F", "", "", "taxi", "", "", "my neighbour's car", "", "", "", ""),
        of("Why do you say that?", "F", *BUS),
        of("Total time", "O", "812.33", "97.1", "300.54"), of("Group time: About you", "O", "40.2", "33.9", "51.8"),
    )),
    Export("limesurvey codes", 10, (
        of("id", "I", "{}"), of("submitdate", "D", "2025-02-03 09:14:22", "2025-02-04 10:01:00"), of("lastpage", "OX", "4"),
        of("startlanguage", "O", "en"), of("ipaddr", "P", *IPS), of("Q1", "O", "A1", "A3", "A2"),
        of("Q2[SQ001]", "O", "Y", "N"), of("Q2[SQ002]", "O", "N", "Y", "N"), of("Q2[other]", "F", "", "", "", "a scooter", "", "", "horse", "", "", ""),
        of("Q3", "F", *BUS), of("Q4comment", "F", *PARK),
    )),
    Export("typeform", 9, (
        of("#", "I", "abc{}def9x"), of("Hi there! First up, what's your name?", "P", *PEOPLE),
        of("On a scale of 0 to 10, how likely are you to recommend the park?", "CN", "8", "10", "3", "7", "0", "9", "6", "5", "2"),
        of("And what's the main reason for your score?", "F", *PARK[:9]), of("Playground", "OM", "Playground", ""), of("Café", "OM", "", "Café", ""),
        of("Toilets", "OM", "", "", "Toilets"), of("Other", "F", "", "benches by the weir please", "", "", "", "bins", "", "", ""),
        of("Response Type", "X", "completed"), of("Start Date (UTC)", "D", "2025-02-03 09:14:22"), of("Submit Date (UTC)", "D", "2025-02-03 09:19:02"),
        of("Network ID", "IO", "8f2c{}aa01"), of("Tags", "E", ""), of("Ending", "O", "Default ending"),
    )),
    Export("alchemer", 8, (
        of("Response ID", "I", "{}"), of("Time Started", "D", *UK), of("Date Submitted", "D", *UK),
        of("Status", "X", "Complete", "Complete", "Partial", "Complete"), of("Contact ID", "E", ""), of("Legacy Comments", "E", ""), of("Comments", "E", ""),
        of("Language", "O", "English"), of("Referer", "O", "https://overton.example/park"), of("SessionID", "O", "1738573{}_67a"),
        of("User Agent", "O", "Mozilla/5.0 (Windows NT 10.0; Win64; x64)"), of("IP Address", "P", *IPS), of("Longitude", "P", "-1.2571"), of("Latitude", "P", "51.7520"),
        of("Country", "O", "United Kingdom"), of("Bus:How do you travel?", "M", "Bus", ""), of("Car:How do you travel?", "M", "", "Car"),
        of("Other - Write In:How do you travel?", "F", "", "", "mobility scooter", "", "", "", "roller skates", ""),
        of("What would make you use the bus more?", "F", *BUS[:8]),
    ), aside=2, respondents=8),
    Export("two languages", 8, (
        of("Ref", "I", "SA{}"), of("Language / Iaith", "O", "English", "Cymraeg"),
        of("Do you agree with the admission number of 60? / A ydych yn cytuno â'r nifer derbyn o 60?", "OS", "Yes / Ydw", "No / Nac ydw"),
        of("Please give reasons for your answer / Rhowch resymau dros eich ateb", "F", "Siblings would be split up.",
           "Bydd plant y pentref yn colli eu lle.", "Class sizes are too big as it is", "Mae angen mwy o le.", "", "Fine", "Dim sylw", "The catchment map is wrong."),
        of("Which school does your child attend? / Pa ysgol mae eich plentyn yn mynychu?", "OG", "Ysgol y Bryn", "Overton Primary"),
    )),
    Export("matrix and ranking", 10, (
        of("Respondent", "I", "{}"),
        of("How important are the following to you? [Parks]", "C", "Very important", "Important", "Not important"),
        of("How important are the following to you? [Libraries]", "C", "Important", "Not important", "Very important"),
        of("How important are the following to you? [Please say more]", "F", *PARK),
        of("Rank these in order of priority [1]", "OS", "Roads", "Parks", "Buses"), of("Rank these in order of priority [2]", "OS", "Parks", "Buses", "Roads"),
        of("Rank these: Roads", "OCN", "1", "3", "2"), of("Rank these: Parks", "OCN", "2", "1", "3"),
        of("In a few words, what matters most to you?", "F", *SHORT),
    )),
    Export("other beside closed", 10, (
        of("Response No.", "I", "{}"),
        of("How did you hear about this consultation?", "OS", "Leaflet", "Facebook", "Other (please specify)", "Leaflet", "Website"),
        of("How did you hear about this consultation? - Other (please specify)", "F", "", "", "my mum", "", "", "", "", "pub", "", ""),
        of(WANT, "F", *PARK), of("How many children do you have?", "N", "0", "2", "1", "3"), of("Age", "GN", "34", "71", "45", "29", "66"),
        of("If you have a disability, please tell us how we could help you take part", "F", "", "", "Large print", "", "", "BSL", "", "", "", ""),
    )),
    Export("numbers as answers", 10, (
        of("ID", "I", "{}"), of("How many parking spaces should there be, and why?", "F", "20", "at least 50", "12", "none", "30 - it is a big site", "40", "as many as now", "25", "25ish", "0"),
        of("What is a fair price for a permit?", "F", "£20", "nothing", "£35", "£40 a year", "free for residents", "50", "£15", "20 pounds", "£60 max", "whatever it costs"),
        of("Comments", "F", *BUS),
    )),
    Export("one respondent", 1, (
        of("Your name", "P", "Helen Marsh"), of("Your email address", "P", "helen@example.org"), of("Do you agree with the proposal?", "OCS", "Disagree"),
        of("Please tell us why", "F", PARK[0]), of("Any other comments?", "F", "No"), of("Date", "D", "3 February 2025"),
    )),
    Export("two respondents", 2, (
        of("Full name", "P", "Helen Marsh", "Gareth Pugh"), of("Postcode", "G", *CODES), of("Do you agree?", "OCS", "No", "Yes"),
        of("Reasons", "F", "too dear", "OK"), of("What do you think of option B?", "F", "Worse", "Better than A"),
    )),
    Export("three respondents", 3, (
        of("Timestamp", "D", *UK), of("Age group", "G", *AGES), of("What is good about the park?", "F", "Trees", "the café", "Quiet"),
        of("What is bad about the park?", "F", "Dogs", "", "Nothing"),
    )),
    Export("five respondents", 5, (
        of("Submission ID", "I", "S-{}"), of("Organisation", "G", "", "Overton Cycling Club", "", "Marl Parish Council", ""),
        of("Q1. Do you support the closure?", "OCS", "Support", "Oppose", "Oppose", "Don't know", "Oppose"), of("Q1b.", "F", *BUS[:5]),
        of("Q2. Anything else?", "F", "", "No", "no thanks", "", "Consult properly next time."),
    )),
    Export("question with line breaks", 6, (
        of("id", "I", "{}"), of('Q7. Thinking about "Option B",\nthe southern route, and its effects on\n(a) noise, (b) trees:\n\nwhat is your view?', "F", *PARK[:6]),
        of("Q8. Please select all that apply:\n- Resident\n- Visitor", "OM", "Resident", "Visitor", "Resident;Visitor", "Resident", "Visitor;Resident", "Visitor"),
    )),
    Export("mostly empty survey", 12, (
        of("Record", "I", "{}"), *(of(f"Section {i // 10} Q{i}: do you agree with measure {i}?", "E", "") for i in range(100)),
        *(of(f"Q{i} Please explain your answer", "E", "") for i in range(100, 200)),
        of("Q201 Overall, what do you think of the strategy?", "F", *PARK), of("Q202 Your email (optional)", "P", *MAILS),
        *(of(f"Q{i} Please explain your answer to measure {i}", "F", "", "", BUS[i % 10] if BUS[i % 10] != "n/a" else "No", "", "", "", "", "", "", "", "", "") for i in range(203, 213)),
    )),
    Export("where and when", 8, (
        of("Ref.", "I", "W{}"), of("what3words", "OG", "///filled.count.soap", "///index.home.raft", "///daring.lion.race", "///slurs.this.shark"),
        of("Coordinates", "OG", "51.7520, -1.2577", "51.7498, -1.2601"), of("Date noticed", "D", "3rd Feb 2025", "Feb 14, 2025", "12.03.25", "2025-01-09"),
        of("Time of day", "O", "08:15", "17:40"), of("Age last birthday", "GN", "34", "71", "8"), of("Problem", "F", *PARK[:8]),
    )),
)  # fmt: skip


@pytest.mark.parametrize("export", SURVEYS, ids=lambda export: export.name)
def test_a_survey_is_read_right(export: Export, tmp_path: Path) -> None:
    assert faults(export, tmp_path) == []
