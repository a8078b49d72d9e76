"""The test runner behind `felt run`: finds scripts, plays them on one core or on all, tells what came of them."""
