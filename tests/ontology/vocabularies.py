"""Small vocabularies written for the tests, each in the syntax a test needs."""

SKOS_TURTLE = """
@prefix ex: <https://example.org/transport#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .

<https://example.org/transport> a skos:ConceptScheme ; dct:title "Transport"@en ;
    owl:versionInfo "1.2" .
ex:transport a skos:Concept ; skos:prefLabel "transport"@en, "liikenne"@fi .
ex:bus a skos:Concept ; skos:prefLabel "bus"@en ; skos:altLabel "omnibus"@en, "motor coach" ;
    skos:hiddenLabel "buss"@en ; skos:broader ex:transport ; skos:notation "T1" ;
    skos:definition "A road vehicle for many passengers."@en ; skos:related ex:stop .
ex:nightbus a skos:Concept ; skos:prefLabel "night bus"@en ; skos:broader ex:bus .
ex:stop a skos:Concept ; skos:prefLabel "bus stop"@en ; skos:broader ex:transport .
ex:gone a skos:Concept ; skos:prefLabel "charabanc"@en ; owl:deprecated true ;
    dct:isReplacedBy ex:bus .
ex:finnish a skos:Concept ; skos:prefLabel "raitiovaunu"@fi .
ex:kinds a skos:Collection ; skos:member ex:bus .
"""

OWL_XML = """<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [
    <!ENTITY owl "http://www.w3.org/2002/07/owl#" >
    <!ENTITY obo 'http://purl.obolibrary.org/obo/' >
]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
         xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"
         xmlns:owl="http://www.w3.org/2002/07/owl#"
         xmlns:obo="http://purl.obolibrary.org/obo/"
         xmlns:oboInOwl="http://www.geneontology.org/formats/oboInOwl#">
  <owl:Ontology rdf:about="http://purl.obolibrary.org/obo/demo.owl">
    <rdfs:label>Demo symptoms</rdfs:label>
    <owl:versionIRI rdf:resource="http://purl.obolibrary.org/obo/demo/2026/demo.owl"/>
  </owl:Ontology>
  <owl:Class rdf:about="&obo;DEMO_0000001">
    <rdfs:label>symptom</rdfs:label>
    <rdfs:subClassOf rdf:resource="&owl;Thing"/>
  </owl:Class>
  <owl:Class rdf:about="&obo;DEMO_0000002">
    <rdfs:label>shortness of breath</rdfs:label>
    <oboInOwl:hasExactSynonym>dyspnoea</oboInOwl:hasExactSynonym>
    <oboInOwl:hasRelatedSynonym>SOB</oboInOwl:hasRelatedSynonym>
    <obo:IAO_0000115>Difficult breathing.</obo:IAO_0000115>
    <rdfs:subClassOf rdf:resource="&obo;DEMO_0000001"/>
    <rdfs:subClassOf>
      <owl:Restriction>
        <owl:onProperty rdf:resource="&obo;part_of"/>
        <owl:someValuesFrom rdf:resource="&obo;DEMO_0000009"/>
      </owl:Restriction>
    </rdfs:subClassOf>
  </owl:Class>
  <owl:Class rdf:about="&obo;DEMO_0000003">
    <rdfs:label>obsolete vapours</rdfs:label>
    <owl:deprecated rdf:datatype="http://www.w3.org/2001/XMLSchema#boolean">true</owl:deprecated>
    <obo:IAO_0100001 rdf:resource="&obo;DEMO_0000002"/>
  </owl:Class>
</rdf:RDF>
"""

JSON_LD = """{
  "@context": {
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "places": "https://example.org/places/",
    "prefLabel": {"@id": "skos:prefLabel", "@language": "en"},
    "broader": {"@id": "skos:broader", "@type": "@id"}
  },
  "@graph": [
    {"@id": "places:mill", "@type": "skos:Concept", "prefLabel": "mill"},
    {"@id": "places:watermill", "@type": "skos:Concept", "prefLabel": "water mill",
     "broader": "places:mill"}
  ]
}"""

N_TRIPLES = (
    "# two triples\n"
    "<https://example.org/a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "
    "<http://www.w3.org/2004/02/skos/core#Concept> .\n"
    '<https://example.org/a> <http://www.w3.org/2004/02/skos/core#prefLabel> "toll gate"@en .\n'
)

EX = "https://example.org/transport#"
