"""Generated gradients beside hand-written ones and those of other tools: `python -m benchmarks.gradients`."""
