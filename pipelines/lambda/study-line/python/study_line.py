"""Times one function of the cold-start study and logs one JSON line per invocation, which `optimise-model bench import` reads.

The line needs no X-Ray: with `calledAtMs` in the event (Unix time of the caller, milliseconds) it has all six metrics.
"""

import json
import os
import time

SNAPSHOT = "snap-start"
ON_DEMAND = "on-demand"
FURTHER_INFERENCES = 50

START_MODE = os.environ.get("AWS_LAMBDA_INITIALIZATION_TYPE")
THREADS = int(os.environ["MODEL_THREADS"])


def read_process_start_ms():
    """Unix time at which this process started, milliseconds, from the kernel's own record of it."""
    with open("/proc/self/stat", encoding="ascii") as stat:
        # The second field is the program's name in brackets and may hold spaces.
        fields = stat.read().rpartition(")")[2].split()
    since_boot = int(fields[19]) / os.sysconf("SC_CLK_TCK")
    boot = time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)
    return (boot + since_boot) * 1000


# After a snapshot the process is older than any call; its start says nothing.
PROCESS_STARTED_AT_MS = None if START_MODE == SNAPSHOT else read_process_start_ms()


class Study:
    """One function: how its model is loaded, and what one inference is."""

    def __init__(self, delivery, load, infer):
        """
        delivery -- how the bytes come: `s3-copy`, `layer`, or `image` for a container image
        load -- takes nothing, returns the model; only the load itself, so that imports count before it
        infer -- takes the model, runs it once
        """
        self.delivery = delivery
        self.load = load
        self.infer = infer
        self.model = None
        self.is_first = True
        # Provisioned processes are made ready long before a call; those of a snapshot load in its hook.
        if START_MODE not in (ON_DEMAND, SNAPSHOT, None):
            self.load_once()

    def load_once(self):
        """Loads the model unless it is there; returns how long that took, milliseconds."""
        if self.model is not None:
            return 0
        begin = time.perf_counter()
        self.model = self.load()
        return (time.perf_counter() - begin) * 1000

    def invoke(self, event, context):
        """Loads if need be, infers 1 + 50 times, logs the line and returns it."""
        load_started_at_ms = time.time() * 1000
        load_ms = self.load_once()
        begin = time.perf_counter()
        self.infer(self.model)
        initial_ms = (time.perf_counter() - begin) * 1000
        begin = time.perf_counter()
        for _ in range(FURTHER_INFERENCES):
            self.infer(self.model)
        further_ms = (time.perf_counter() - begin) * 1000
        line = {
            "kind": "optimise-model.invocation",
            "schemaVersion": 1,
            "functionName": context.function_name,
            "requestId": context.aws_request_id,
            "traceId": os.environ.get("_X_AMZN_TRACE_ID"),
            "startMode": START_MODE,
            "memoryMiB": int(context.memory_limit_in_mb),
            "delivery": self.delivery,
            "threads": THREADS,
            "cold": self.is_first,
            "calledAtMs": event.get("calledAtMs"),
            "processStartedAtMs": PROCESS_STARTED_AT_MS,
            "loadStartedAtMs": load_started_at_ms,
            "loadMs": load_ms,
            "initialInferenceMs": initial_ms,
            "furtherInferences": FURTHER_INFERENCES,
            "furtherInferencesMs": further_ms,
        }
        self.is_first = False
        print(json.dumps(line))
        return line


def load_before_snapshot(study):
    """Has the model loaded into the snapshot, by the hook of Lambda's SnapStart; does nothing without SnapStart."""
    if START_MODE != SNAPSHOT:
        return
    from snapshot_restore_py import register_before_snapshot

    register_before_snapshot(study.load_once)
