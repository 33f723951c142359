"""Reads a log folder the way TensorBoard does and prints what it found as JSON.

Usage: read_events.py LOGDIR [VIEW...]

Views (all three by default):
  accumulator  tensorboard's EventAccumulator, what scripts use
  python       TensorBoard's web backend over its Python loader (--load_fast=false)
  fast         the same backend over its data server (the default of `tensorboard`)
"""

import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import threading

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from tensorboard import default
from tensorboard.backend import application
from tensorboard.backend.event_processing import data_ingester, event_accumulator
from tensorboard.data import ingester as ingester_lib
from tensorboard.data import server_ingester
from tensorboard.plugins import base_plugin
from tensorboard.util import grpc_util, tensor_util
from werkzeug.test import Client

# The plugins whose pages this project fills.
PLUGINS = ("core", "scalars", "custom_scalars", "text", "hparams", "timeseries")


def number(value):
    """JSON has no NaN and no infinities."""
    value = float(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def event_folders(logdir):
    for folder, _, names in sorted(os.walk(logdir)):
        if any("tfevents" in name for name in names):
            yield os.path.relpath(folder, logdir), folder


def accumulator_view(logdir):
    runs = {}
    for run, folder in event_folders(logdir):
        keep_all = {"scalars": 0, "tensors": 0}
        events = event_accumulator.EventAccumulator(folder, size_guidance=keep_all)
        events.Reload()
        tags = events.Tags()
        runs[run] = {
            "file_version": events.file_version,
            "scalars": {
                tag: [[e.step, number(e.value)] for e in events.Scalars(tag)]
                for tag in tags["scalars"]
            },
            "tensors": {
                tag: [[e.step, tensor(e.tensor_proto)] for e in events.Tensors(tag)]
                for tag in tags["tensors"]
            },
            "plugins": {
                tag: metadata.plugin_data.plugin_name
                for tag, metadata in events.summary_metadata.items()
            },
        }
    return runs


def tensor(proto):
    array = tensor_util.make_ndarray(proto)
    flat = [v.decode("utf-8", "replace") if isinstance(v, bytes) else number(v) for v in array.ravel()]
    return {"shape": list(array.shape), "values": flat}


def python_ingester(flags):
    ingester = data_ingester.LocalDataIngester(flags)
    ingester.start()
    return ingester, None


def fast_ingester(flags):
    """The data server, waited for until it has read everything once."""
    binary = server_ingester.get_server_binary()
    with tempfile.TemporaryDirectory() as folder:
        port_file = os.path.join(folder, "port")
        server = subprocess.Popen(
            [
                binary.path,
                f"--logdir={flags.logdir}",
                "--reload=once",
                "--samples-per-plugin=scalars=all,text=all",
                "--port=0",
                f"--port-file={port_file}",
                "--die-after-stdin",
                "--checksum",
                "--verbose",
            ],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        log = []
        for line in server.stderr:
            log.append(line)
            if "Finished load cycle" in line:
                break
        else:
            raise RuntimeError("the data server ended: " + "".join(log))
        with open(port_file) as f:
            port = int(f.read())
    # A full pipe would stop the server.
    threading.Thread(target=server.stderr.read, daemon=True).start()
    ingester = server_ingester.ExistingServerDataIngester(
        f"localhost:{port}", channel_creds_type=grpc_util.ChannelCredsType.LOCAL
    )
    return ingester, server


def backend_view(logdir, make_ingester):
    """Asks the same questions over HTTP that the pages in the browser ask."""
    loaders = [
        loader
        for loader in map(plugin_loader, default.get_plugins())
        if loader is not None
    ]
    flags = parse_flags(loaders, logdir)
    ingester, server = make_ingester(flags)
    try:
        app = application.TensorBoardWSGIApp(
            flags,
            loaders,
            data_provider=ingester.data_provider,
            assets_zip_provider=None,
            deprecated_multiplexer=getattr(ingester, "deprecated_multiplexer", None),
        )
        return ask(Client(app))
    finally:
        if server is not None:
            server.stdin.close()
            server.wait()


def plugin_loader(plugin):
    if isinstance(plugin, type) and issubclass(plugin, base_plugin.TBPlugin):
        return base_plugin.BasicLoader(plugin) if plugin.plugin_name in PLUGINS else None
    loader = plugin() if isinstance(plugin, type) else plugin
    name = type(loader).__name__
    return loader if name in ("CorePluginLoader", "HParamsPlugin") else None


def parse_flags(loaders, logdir):
    import argparse

    parser = argparse.ArgumentParser()
    for loader in loaders:
        loader.define_flags(parser)
    arguments = [
        f"--logdir={logdir}",
        "--reload_interval=0",
        "--reload_task=blocking",
        "--samples_per_plugin=scalars=1000000,text=1000000",
    ]
    flags = parser.parse_args(arguments)
    for loader in loaders:
        loader.fix_flags(flags)
    return flags


def ask(client):
    def answer(request, path, **arguments):
        try:
            response = request("/data/" + path, **arguments)
        except Exception as error:  # what a server would answer with status 500
            return {"status": 500, "message": repr(error)}
        text = response.get_data(as_text=True)
        if response.status_code != 200:
            return {"status": response.status_code, "message": text}
        # The backend writes NaN and infinities as strings already.
        return json.loads(text)

    def get(path, **query):
        return answer(client.get, path, query_string=query)

    def post(path, body):
        return answer(client.post, path, json=body)

    def scalars(run, tag):
        points = get("plugin/scalars/scalars", run=run, tag=tag)
        return [[step, value] for _, step, value in points] if isinstance(points, list) else points

    def texts(run, tag):
        points = get("plugin/text/text", run=run, tag=tag, markdown="true")
        return [[p["step"], p["text"]] for p in points] if isinstance(points, list) else points

    layout = get("plugin/custom_scalars/layout")
    runs = get("runs")
    return {
        "active": sorted(n for n, p in get("plugins_listing").items() if p.get("enabled")),
        "scalars": {
            run: {tag: scalars(run, tag) for tag in tags}
            for run, tags in get("plugin/scalars/tags").items()
        },
        "text": {
            run: {tag: texts(run, tag) for tag in tags}
            for run, tags in get("plugin/text/tags").items()
        },
        "layout": layout,
        "charts": {run: chart_lines(get, run, layout) for run in runs},
        "hparams": post("plugin/hparams/experiment", {"experimentName": ""}),
        "sessions": post(
            "plugin/hparams/session_groups",
            {
                "experimentName": "",
                "allowedStatuses": [
                    "STATUS_UNKNOWN",
                    "STATUS_SUCCESS",
                    "STATUS_FAILURE",
                    "STATUS_RUNNING",
                ],
                "colParams": [],
                "startIndex": 0,
                "sliceSize": 100,
            },
        ),
    }


def chart_lines(get, run, layout):
    """The tags that each chart of the layout draws for a run."""
    charts = {}
    for category in layout.get("category", []):
        for chart in category.get("chart", []):
            tags = set()
            for pattern in chart.get("multiline", {}).get("tag", []):
                found = get("plugin/custom_scalars/scalars", run=run, tag=pattern)
                tags.update(found["tag_to_events"])
            charts[category["title"] + "/" + chart["title"]] = sorted(tags)
    return charts


VIEWS = {
    "accumulator": accumulator_view,
    "python": lambda logdir: backend_view(logdir, python_ingester),
    "fast": lambda logdir: backend_view(logdir, fast_ingester),
}


def main():
    logdir, *names = sys.argv[1:]
    signal.alarm(120)  # a reader that hangs must not hang the tests
    print(json.dumps({name: VIEWS[name](logdir) for name in names or VIEWS}, ensure_ascii=False))


if __name__ == "__main__":
    main()
