"""What the decrees say: one TOML file each, every value with its article."""
