"""What leaving early costs, a module for each part of the working; see offerings.rules.penalty."""
