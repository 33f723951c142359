"""PaddleNLP's way to count chunks, and seqeval's report, on the rows that bench-rows printed.

PaddleNLP's way: ids become tag strings, seqeval's get_entities lists the chunks of a batch of 32
rows, sets are intersected, three numbers are added up. seqeval's report is classification_report
on the first rows, some 100,000 tokens of them, as lists of strings. Prints one JSON object a line:
the name of the rows, the way, the number of tokens, and the nanoseconds of one pass over them.
"""

import json
import statistics
import sys
import time
import warnings

import numpy as np
from seqeval.metrics import classification_report
from seqeval.metrics.sequence_labeling import get_entities

BATCH = 32
PASSES = 3
REPORT_TOKENS = 100_000


def padded_batches(lengths, gold, predicted):
    """(lengths, predicted, gold) of 32 rows each, as arrays padded with 0."""
    ends = np.cumsum(lengths)
    rows = list(zip(ends - lengths, ends))
    for first in range(0, len(rows), BATCH):
        some = rows[first : first + BATCH]
        shape = (len(some), max(end - start for start, end in some))
        batch = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        for side, ids in zip(batch, (predicted, gold)):
            for row, (start, end) in zip(side, some):
                row[: end - start] = ids[start:end]
        yield np.array([end - start for start, end in some]), *batch


def chunk_counts(names, suffix, lengths, predicted, gold):
    """How many chunks are predicted, gold, and both."""
    gold = [[names[i] for i in row[:n]] for row, n in zip(gold, lengths)]
    predicted = [[names.get(i, "O") for i in row[:n]] for row, n in zip(predicted, lengths)]
    gold = set(get_entities(gold, suffix))
    predicted = set(get_entities(predicted, suffix))
    return np.array([len(predicted), len(gold), len(predicted & gold)])


def main(path):
    warnings.simplefilter("ignore")  # scores of types that are never predicted
    for line in open(path, encoding="utf-8"):
        work = json.loads(line)
        names = dict(enumerate(work["label_list"]))
        batches = list(padded_batches(work["lengths"], work["gold"], work["predicted"]))
        times = []
        for _ in range(PASSES):
            totals = np.zeros(3, dtype=np.int64)
            start = time.perf_counter()
            for lengths, predicted, gold in batches:
                totals += chunk_counts(names, work["suffix"], lengths, predicted, gold)
            times.append(time.perf_counter() - start)
            if totals.tolist() != work["counts"]:
                sys.exit(f"{work['name']}: Python counts {totals}, chunkeval {work['counts']}")
        tell(work["name"], "python", sum(work["lengths"]), times)
        seqeval_report(work, names)


def seqeval_report(work, names):
    """The time of classification_report on the first rows."""
    gold, predicted, tokens = [], [], 0
    for length in work["lengths"]:
        if tokens >= REPORT_TOKENS:
            break
        row = slice(tokens, tokens + length)
        gold.append([names[i] for i in work["gold"][row]])
        predicted.append([names.get(i, "O") for i in work["predicted"][row]])
        tokens += length
    times = []
    for _ in range(PASSES):
        start = time.perf_counter()
        classification_report(gold, predicted, suffix=work["suffix"], digits=4)
        times.append(time.perf_counter() - start)
    tell(work["name"], "seqeval", tokens, times)


def tell(name, way, tokens, times):
    nanoseconds = statistics.median(times) * 1e9
    line = {"name": name, "way": way, "tokens": tokens, "nanoseconds": nanoseconds}
    print(json.dumps(line))


if __name__ == "__main__":
    main(sys.argv[1])
