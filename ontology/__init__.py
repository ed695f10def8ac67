"""Vocabularies in, graph out: load, index, hierarchy, graph and SPARQL."""
