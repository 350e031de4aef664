"""The flow: one loop, one worker, and the events they tell of."""
