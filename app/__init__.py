"""Front doors: command line, dashboard, SPARQL endpoint, jobs and settings."""

__version__ = "0.1.0"
