"""Quantises a model dynamically: weights to UINT8, as onnxruntime does it. Arguments: the model, the result."""

import sys

import onnx
from onnxruntime.quantization import QuantType, quantize_dynamic

model = onnx.load(sys.argv[1])
# The quantiser looks for weights among the initializers; Paddle exports them as Constant nodes.
constants = [node for node in model.graph.node if node.op_type == "Constant" and node.attribute[0].name == "value"]
for node in constants:
    tensor = node.attribute[0].t
    tensor.name = node.output[0]
    model.graph.initializer.append(tensor)
    model.graph.node.remove(node)
quantize_dynamic(model, sys.argv[2], weight_type=QuantType.QUInt8)
