"""Text in, results out: readers, segmentation, ALBERT, summaries, labels and tags."""
