/**
 * What Python runs: the converter of the OpenVINO that it has, by its own interface, then the files that are asked for.
 * It reads one request from stdin and writes lines of JSON to descriptor 3; what others print goes to stderr.
 *
 * The package that reports each use, and leaves a file in the home folder, is made to look missing: OpenVINO has a stub
 * for that, which does nothing.
 *
 * @see https://docs.openvino.ai/2026/openvino-workflow/model-preparation/convert-model-to-ir.html
 */
export const ovcProgram = `
import json
import os
import sys

answers = os.fdopen(3, 'w', encoding='utf-8')
os.dup2(2, 1)
sys.modules['openvino_telemetry'] = None


def answer(**fields):
    print(json.dumps(fields), file=answers, flush=True)


def end(**fields):
    answer(**fields)
    # Nothing is left to do, and freeing a large model takes time.
    os._exit(0)


request = json.loads(sys.stdin.read())
try:
    import openvino
    from openvino.tools.ovc import convert_model
except ImportError as error:
    end(kind='missing', reason=str(error))
version = openvino.get_version()
if request['version'] not in (None, version.split('-')[0]):
    end(kind='other', version=version)
try:
    model = convert_model(request['model'])
except (MemoryError, OSError) as error:
    end(kind='failed', reason=str(error) or type(error).__name__)
except Exception as error:
    end(kind='refused', reason=str(error))
try:
    # Else the file says what the source is called.
    model.set_rt_info(request['name'], ['conversion_parameters', 'input_model'])
    for number, target in enumerate(request['targets']):
        answer(kind='saving', number=number)
        openvino.save_model(model, target['path'], compress_to_fp16=target['isHalf'])
except Exception as error:
    end(kind='failed', reason='it could not write its files (%s)' % error)
end(kind='saved', version=version)
`;
