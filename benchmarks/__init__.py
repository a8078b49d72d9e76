"""The numbers of docs/performance.md, each beside a floor measured in the same run: `python -m benchmarks`."""
