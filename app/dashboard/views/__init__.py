"""The pages, one flat script each; the router runs them."""
