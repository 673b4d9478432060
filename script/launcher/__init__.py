"""The parts of script/services; standard library only."""
