"""src_lambda_onnx_normal and src_lambda_onnx_snapstart: S3 to /tmp, then an onnxruntime session."""

import os

import boto3
import numpy as np
import onnxruntime as ort

from study_line import Study, load_before_snapshot

PATH = "/tmp/model.onnx"
INPUT = np.random.default_rng(7).standard_normal((1, 3, 224, 224), dtype=np.float32)


def load():
    boto3.client("s3").download_file(os.environ["MODEL_BUCKET"], os.environ["MODEL_KEY"], PATH)
    options = ort.SessionOptions()
    # The default pins threads to processors that Lambda does not give.
    options.intra_op_num_threads = int(os.environ["MODEL_THREADS"])
    return ort.InferenceSession(PATH, options, providers=["CPUExecutionProvider"])


def infer(session):
    session.run(None, {session.get_inputs()[0].name: INPUT})


study = Study("s3-copy", load, infer)
load_before_snapshot(study)


def handler(event, context):
    return study.invoke(event, context)
