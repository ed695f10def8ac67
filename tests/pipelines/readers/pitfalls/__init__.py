"""One test for each pitfall of consultation exports, named after its number."""
