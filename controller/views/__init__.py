"""What people may see, as data: pure, and the only place that decides whether a card is public."""
