"""Whether transformers reads the folders that ernie-candle writes.

    python encoder_written.py start FOLDER            a small BERT to begin a training with
    python encoder_written.py compare FOLDER LOGITS   the folder of a run, and what its example
                                                      `logits` said of SENTENCES

`compare` fails if a tensor is missing or left over, or pieces, labels or logits differ.
"""

import json
import subprocess
import sys
from pathlib import Path

import torch
from transformers import (
    AutoModelForTokenClassification,
    AutoTokenizer,
    BertConfig,
    BertForTokenClassification,
)

# `golden.rs` hands them to the example.
SENTENCES = (Path(__file__).parent / "encoder_written.txt").read_text().splitlines()
TOLERANCE = 1e-5


def start(folder):
    """As old folders are: pytorch_model.bin, made readable as the program's error says."""
    folder.mkdir(parents=True)
    characters = sorted(set("".join(SENTENCES)) - {" "})
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *characters]
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n")
    config = BertConfig(
        vocab_size=len(pieces),
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=3,
        intermediate_size=40,
        max_position_embeddings=64,
    )
    torch.manual_seed(1)
    model = BertForTokenClassification(config)
    model.config.save_pretrained(folder)
    torch.save(model.state_dict(), folder / "pytorch_model.bin")
    code = (
        "from transformers import AutoModel; "
        f"AutoModel.from_pretrained('{folder}').save_pretrained('{folder}', max_shard_size='99GB')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert (folder / "model.safetensors").is_file()


def compare(folder, logits):
    model, info = AutoModelForTokenClassification.from_pretrained(folder, output_loading_info=True)
    left = {key: value for key, value in info.items() if value}
    assert not left, f"{folder}: {left}"
    tokenizer = AutoTokenizer.from_pretrained(folder)
    furthest, largest = 0.0, 0.0
    lines = [json.loads(line) for line in logits.read_text().splitlines()]
    assert len(lines) == len(SENTENCES)
    for sentence, ours in zip(SENTENCES, lines):
        inputs = tokenizer(sentence, return_tensors="pt")
        assert inputs["input_ids"][0].tolist() == ours["ids"], sentence
        with torch.no_grad():
            theirs = model.eval()(**inputs).logits[0]
        labels = [model.config.id2label[i] for i in theirs.argmax(-1).tolist()]
        assert labels == ours["labels"], f"{sentence}: {labels}, not {ours['labels']}"
        furthest = max(furthest, (theirs - torch.tensor(ours["logits"])).abs().max().item())
        largest = max(largest, theirs.abs().max().item())
    print(
        f"{type(model).__name__} of {folder}: no tensor missing or left over, "
        f"{len(lines)} sentences with the same pieces and labels, "
        f"logits up to {largest:.3g} at most {furthest:.1e} apart"
    )
    assert furthest <= TOLERANCE, furthest


if sys.argv[1] == "start":
    start(Path(sys.argv[2]))
else:
    compare(Path(sys.argv[2]), Path(sys.argv[3]))
