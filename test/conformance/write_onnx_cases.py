"""Writes the ONNX project's operator tests, which the package `onnx` defines in Python, as files. Argument: the folder."""

import os
import sys
import warnings

from onnx import TensorProto, numpy_helper
from onnx.backend.test.loader import load_model_tests


def encode(value, declared) -> bytes:
    if isinstance(value, TensorProto):
        return value.SerializeToString()
    kind = declared.type.WhichOneof("value")
    make = {
        "map_type": numpy_helper.from_dict,
        "sequence_type": numpy_helper.from_list,
        "optional_type": numpy_helper.from_optional,
    }.get(kind, numpy_helper.from_array)
    return make(value, declared.name).SerializeToString()


def write(path: str, content: bytes) -> None:
    with open(path, "wb") as file:
        file.write(content)


def main() -> None:
    warnings.simplefilter("ignore")
    for case in load_model_tests(kind="node"):
        folder = os.path.join(sys.argv[1], case.name)
        os.makedirs(folder)
        write(os.path.join(folder, "model.onnx"), case.model.SerializeToString())
        graph = case.model.graph
        for number, (inputs, outputs) in enumerate(case.data_sets):
            data = os.path.join(folder, f"test_data_set_{number}")
            os.makedirs(data)
            for role, values, declared in (("input", inputs, graph.input), ("output", outputs, graph.output)):
                for index, value in enumerate(values):
                    write(os.path.join(data, f"{role}_{index}.pb"), encode(value, declared[index]))


main()
