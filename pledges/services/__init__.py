"""The acts on what is pledged, one module a subject."""
