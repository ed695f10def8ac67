"""The SPARQL 1.1 Protocol over HTTP: queries only, on loopback unless told otherwise.

https://www.w3.org/TR/sparql11-protocol/. GET and POST on ``/sparql``; a GET without parameters
answers the service description, or to a browser the page with the editor. Each query is evaluated
in a process that may be killed. No CORS header is ever sent, and requests that name another host or
come from another origin are refused, so that a web page cannot read or burden the service through a
visitor's browser.
"""

from app.endpoint.server import create_app, serve, server
from app.endpoint.types import EndpointSettings

__all__ = ["EndpointSettings", "create_app", "serve", "server"]
