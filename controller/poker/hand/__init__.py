"""One hand of Crown Poker: its course, betting, cards, acts, irregularities and showdown."""
