"""One file per approved game: pure rules."""
