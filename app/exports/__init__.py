"""Everything of a collection as files: reports, tables, coding projects, RDF dumps."""
