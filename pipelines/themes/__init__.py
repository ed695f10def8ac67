"""Themes of answers: statements, discovery, mapping to a codebook, stance, stability. Pure functions.

    statements(answers)                       answers cut into statements with offsets
    find_themes(statements, vectors)          groups, confidence, coverage
    describe_themes(statements, vectors, found)   titles, descriptions, medoids, concepts
    found_assignments(statements, found, themes)  one assignment a statement
    Mapper(entries, encoder, corrections).map(statements, vectors)   codebook first; ``missed`` is left
    with_stance(assignments, questions, labeller), count_stances(assignments)
    review_queue, stability, saturation, cross_points

``vectors`` are always ``encoder.encode([one.text for one in statements])``.
"""
