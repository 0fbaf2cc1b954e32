"""docker_lambda_vanilla_pytorch: the library builds the network and reads its weights from the image."""

import os

import timm
import torch

from study_line import Study

NAME = "vit_base_patch8_224.dino"
torch.set_num_threads(int(os.environ["MODEL_THREADS"]))
INPUT = torch.randn(1, 3, 224, 224, generator=torch.Generator().manual_seed(7))


def load():
    return timm.create_model(NAME, pretrained=True, num_classes=0).eval()


def infer(model):
    with torch.inference_mode():
        model(INPUT)


study = Study("image", load, infer)


def handler(event, context):
    return study.invoke(event, context)
