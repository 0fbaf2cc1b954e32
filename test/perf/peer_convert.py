"""onnxruntime's own converter with its defaults: the peer of bench-convert.mjs. Arguments: the model, the result."""

import sys

import onnx
from onnxruntime.transformers.float16 import convert_float_to_float16

onnx.save(convert_float_to_float16(onnx.load(sys.argv[1])), sys.argv[2])
