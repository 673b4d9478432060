"""What the work costs, told as ratios between two sizes measured in one run. No test asks for a
time: machines differ, and a busy one more.
"""
