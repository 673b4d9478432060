"""What of the pledges is arithmetic: pure functions of plain facts."""
