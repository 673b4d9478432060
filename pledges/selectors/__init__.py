"""What is asked of the tables of what is pledged, one module a subject."""
