"""docker_lambda_pytorch_pickle: the whole module, pickled when the image was built, is read from the image."""

import os

import torch

from study_line import Study

PATH = os.path.join(os.path.dirname(__file__), "model.pickle")
torch.set_num_threads(int(os.environ["MODEL_THREADS"]))
INPUT = torch.randn(1, 3, 224, 224, generator=torch.Generator().manual_seed(7))


def load():
    # The file was written by this image's own build, so that its code can be trusted.
    return torch.load(PATH, map_location="cpu", weights_only=False).eval()


def infer(model):
    with torch.inference_mode():
        model(INPUT)


study = Study("image", load, infer)


def handler(event, context):
    return study.invoke(event, context)
