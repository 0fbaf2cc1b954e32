"""src_lambda_openvino_normal and src_lambda_openvino_snapstart: S3 to /tmp, then a model compiled by OpenVINO."""

import os

import boto3
import numpy as np
import openvino as ov

from study_line import Study, load_before_snapshot

PATH = "/tmp/model"
INPUT = np.random.default_rng(7).standard_normal((1, 3, 224, 224), dtype=np.float32)


def load():
    s3 = boto3.client("s3")
    key = os.environ["MODEL_KEY"].removesuffix(".xml")
    for suffix in (".xml", ".bin"):
        s3.download_file(os.environ["MODEL_BUCKET"], key + suffix, PATH + suffix)
    threads = int(os.environ["MODEL_THREADS"])
    return ov.Core().compile_model(PATH + ".xml", "CPU", {"INFERENCE_NUM_THREADS": threads})


def infer(model):
    model(INPUT)


study = Study("s3-copy", load, infer)
load_before_snapshot(study)


def handler(event, context):
    return study.invoke(event, context)
