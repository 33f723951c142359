"""The published way to score a language model's answers, beside `chunkeval llm` on the same file.

The loop, after its description: each line is read as JSON, the label becomes type -> list, the
answer is evaluated as Python, and for each type the two sets are intersected; answers on which that
fails are skipped. The file is made here: lines of an instruction in Chinese, three types with up to
three entities each, one answer in twenty cut off.

    python benches/answers_way.py target/release/chunkeval [LINES]

Prints one JSON object for each way: the median of CPU time of one pass, the start of the program and
the reading of the file included, but not the start of Python. All ways take turns; counts that
differ are an error.
"""

import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile

PASSES = 5
LINES = 50_000
TYPES = ["PER", "ORG", "LOC"]
NAMES = ["张三", "李四", "北京", "上海", "华夏银行", "人民大会堂", "O'Brien", "Ann Lee", "丁聪", "美"]
ASK = "你是专门进行实体抽取的专家。请从input中抽取出符合schema定义的实体，不存在的实体类型返回空列表。请按照JSON字符串的格式回答。"


def lines(count):
    """Lines of a file, the same for the same count."""
    draw = random.Random(count)
    for number in range(count):
        gold = {name: draw.sample(NAMES, draw.randint(0, 3)) for name in TYPES}
        said = {
            name: [text for text in some if draw.random() < 0.8] + draw.sample(NAMES, draw.random() < 0.2)
            for name, some in gold.items()
        }
        text = "，".join(["今天"] + [text for some in gold.values() for text in some] + ["到了。"])
        output = json.dumps(said, ensure_ascii=False) if draw.random() < 0.5 else str(said)
        if draw.random() < 0.05:
            output = output[: len(output) * 2 // 3]
        label = [{"entity": text, "entity_type": name} for name, some in gold.items() for text in some]
        instruction = {"instruction": ASK, "schema": TYPES, "input": text}
        line = {
            "id": number,
            "instruction": json.dumps(instruction, ensure_ascii=False),
            "label": json.dumps(label, ensure_ascii=False),
            "output": output,
        }
        yield json.dumps(line, ensure_ascii=False) + "\n"


def published(path):
    """Right, predicted and labelled entities of each type, and how many answers were skipped."""
    counts, skipped = {}, 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            data = json.loads(line)
            label = {}
            for item in eval(data["label"]):
                label.setdefault(item["entity_type"], []).append(item["entity"])
            try:
                predict = eval(data["output"])
                for name in set(label) | set(predict):
                    gold, said = set(label.get(name, [])), set(predict.get(name, []))
                    sums = counts.setdefault(name, [0, 0, 0])
                    sums[0] += len(gold & said)
                    sums[1] += len(said)
                    sums[2] += len(gold)
            except Exception:
                skipped += 1
    return counts, skipped


def program(path, *options):
    """The same of `chunkeval llm`."""
    command = [sys.argv[1], "llm", path, "--format", "json", "--on-unreadable", "skip", *options]
    result = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    types = result["scores"]["types"]
    counts = {row["type"]: [row["correct"], row["predicted"], row["support"]] for row in types}
    return counts, result["unreadable"]["answers"]


def cpu():
    """CPU seconds so far, those of finished children included."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else LINES
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8", delete=False) as file:
        file.writelines(lines(count))
    ways = {
        "published loop": lambda: published(file.name),
        "llm --strict": lambda: program(file.name, "--strict", "--threads", "1"),
        "llm": lambda: program(file.name, "--threads", "1"),
        "llm --both": lambda: program(file.name, "--both", "--threads", "1"),
    }
    try:
        times, found = {way: [] for way in ways}, {}
        for _ in range(PASSES):
            for way, run in ways.items():
                # Who comes first must not be who pays for a file that has left the page cache.
                with open(file.name, "rb") as again:
                    again.read()
                before = cpu()
                found[way] = run()
                times[way].append(cpu() - before)
    finally:
        os.remove(file.name)
    if found["published loop"] != found["llm --strict"]:
        sys.exit(f"the counts differ: {found}")
    for way, seconds in times.items():
        nanoseconds = statistics.median(seconds) * 1e9
        print(json.dumps({"name": "lines of answers", "way": way, "tokens": count, "nanoseconds": nanoseconds}))


if __name__ == "__main__":
    main()
