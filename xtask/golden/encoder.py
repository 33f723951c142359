"""Reference values for the encoder of examples/ernie-candle: python encoder.py FOLDER

Makes small BERT and ERNIE models with random weights of a fixed seed, and writes for each a folder
as Hugging Face stores models, with the inputs, hidden states, logits, loss and gradients that
transformers gives in `expected.safetensors` beside it. Positions of padding hold what transformers
computes there, which nobody should read.
"""

import json
import platform
import shutil
import sys
from pathlib import Path

import numpy
import safetensors
import torch
import transformers
from safetensors.torch import load_file, save_file
from transformers import (
    BertConfig,
    BertForTokenClassification,
    BertModel,
    ErnieConfig,
    ErnieForTokenClassification,
    ErnieModel,
)

SIZES = dict(
    vocab_size=32,
    hidden_size=16,
    num_hidden_layers=2,
    num_attention_heads=4,
    intermediate_size=20,
    max_position_embeddings=12,
)
LABELS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
LENGTHS = [9, 1, 6, 12]


def labelled(**fields):
    return dict(
        fields,
        id2label=dict(enumerate(LABELS)),
        label2id={label: i for i, label in enumerate(LABELS)},
    )


# Name: class of the model, class and fields of its configuration.
CASES = {
    "bert-gelu": (
        BertForTokenClassification,
        BertConfig,
        labelled(hidden_act="gelu", layer_norm_eps=1e-12, classifier_dropout=0.2),
    ),
    "bert-relu": (BertModel, BertConfig, dict(hidden_act="relu", layer_norm_eps=1e-5)),
    "bert-old-names": (BertModel, BertConfig, dict(hidden_act="gelu", layer_norm_eps=1e-3)),
    "ernie-1": (
        ErnieForTokenClassification,
        ErnieConfig,
        labelled(hidden_act="relu", layer_norm_eps=1e-5, num_attention_heads=2),
    ),
    "ernie-3": (
        ErnieForTokenClassification,
        ErnieConfig,
        labelled(
            hidden_act="gelu",
            layer_norm_eps=1e-5,
            hidden_size=12,
            num_attention_heads=3,
            num_hidden_layers=3,
            type_vocab_size=4,
            use_task_id=True,
            task_type_vocab_size=5,
        ),
    ),
    "ernie-plain": (
        ErnieModel,
        ErnieConfig,
        dict(hidden_act="gelu", use_task_id=True, num_attention_heads=1),
    ),
}


def randomise(model, generator):
    """Weights large enough that attention is not the same everywhere."""
    for name, parameter in model.named_parameters():
        noise = torch.randn(parameter.shape, generator=generator)
        if name.endswith("LayerNorm.weight"):
            parameter.data = 1 + 0.3 * noise
        else:
            parameter.data = 0.3 * noise


def rename_as_old(file):
    """As files were before 2019, with a buffer that they were stored with until 2023."""
    tensors = {}
    for name, tensor in load_file(file).items():
        name = name.replace("LayerNorm.weight", "LayerNorm.gamma")
        tensors[name.replace("LayerNorm.bias", "LayerNorm.beta")] = tensor
    positions = torch.arange(SIZES["max_position_embeddings"]).unsqueeze(0)
    tensors["embeddings.position_ids"] = positions
    save_file(tensors, file)


def make(name, seed, folder):
    model_class, config_class, fields = CASES[name]
    config = config_class(**{**SIZES, **fields})
    generator = torch.Generator().manual_seed(seed)
    model = model_class(config).eval()
    randomise(model, generator)
    model.save_pretrained(folder, safe_serialization=True)

    shape = (len(LENGTHS), max(LENGTHS))
    mask = torch.arange(shape[1]).unsqueeze(0) < torch.tensor(LENGTHS).unsqueeze(1)
    draw = lambda high: torch.randint(0, high, shape, generator=generator)
    inputs = {
        "input_ids": torch.where(mask, 1 + draw(config.vocab_size - 1), 0),
        "token_type_ids": draw(config.type_vocab_size),
        "attention_mask": mask.long(),
    }
    if getattr(config, "use_task_id", False):
        inputs["task_type_ids"] = draw(config.task_type_vocab_size)
    expected = dict(inputs)
    if "labels" not in inputs and hasattr(model, "classifier"):
        labels = torch.where(mask, draw(len(LABELS)), -100)
        labels[:, 0] = -100  # [CLS]
        inputs["labels"] = expected["labels"] = labels

    outputs = model(**inputs, output_hidden_states=True)
    for layer, states in enumerate(outputs.hidden_states):
        expected[f"hidden_states.{layer}"] = states.detach()
    if "labels" in inputs:
        expected["logits"] = outputs.logits.detach()
        expected["loss"] = outputs.loss.detach()
        outputs.loss.backward()
        for parameter, tensor in model.named_parameters():
            bare = parameter.removeprefix("bert.").removeprefix("ernie.")
            expected[f"grad.{bare}"] = tensor.grad
    save_file({key: value.contiguous() for key, value in expected.items()},
              folder / "expected.safetensors")
    if name == "bert-old-names":
        rename_as_old(folder / "model.safetensors")


def main():
    root = Path(sys.argv[1])
    torch.set_num_threads(1)
    for seed, name in enumerate(CASES):
        folder = root / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        make(name, seed, folder)
        print(name)
    versions = {
        "python": platform.python_version(),
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "numpy": numpy.__version__,
        "safetensors": safetensors.__version__,
    }
    (root / "versions.json").write_text(json.dumps(versions, indent=2) + "\n")


main()
