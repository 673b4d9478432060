"""The shapes of what is typed about pledges, one module a subject."""
