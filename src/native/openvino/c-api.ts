import type { Koffi } from '../open-koffi.js';
import { type CFunction, type Handle, makeTypes, type TypeName, type ValueOf } from './c-types.js';

/**
 * What this tool calls of OpenVINO's C API: the function's name, what it takes, what it returns when that is no status.
 * Compiling takes a variable number of arguments, and such a call cannot run on another thread; it is bound as what it
 * is without any properties, and those are set on the core before.
 *
 * @see https://docs.openvino.ai/2026/api/c_cpp_api/group__ov__c__api.html
 */
const signatures = {
  getErrorInfo: ['ov_get_error_info', ['status'], 'text'],
  getLastErrorMessage: ['ov_get_last_err_msg', [], 'pointer'],
  free: ['ov_free', ['pointer'], 'void'],

  createCore: ['ov_core_create', ['outPointer']],
  freeCore: ['ov_core_free', ['pointer'], 'void'],
  setProperty: ['ov_core_set_property', ['pointer', 'text', '...']],
  getCoreProperty: ['ov_core_get_property', ['pointer', 'text', 'text', 'outPointer']],
  readModelFromMemory: [
    'ov_core_read_model_from_memory_buffer',
    ['pointer', 'memory', 'size', 'pointer', 'outPointer'],
  ],
  compileModel: ['ov_core_compile_model', ['pointer', 'pointer', 'text', 'size', 'outPointer']],
  compileModelFromFile: [
    'ov_core_compile_model_from_file',
    ['pointer', 'text', 'text', 'size', 'outPointer'],
  ],
  importModel: ['ov_core_import_model', ['pointer', 'memory', 'size', 'text', 'outPointer']],
  freeModel: ['ov_model_free', ['pointer'], 'void'],

  exportModel: ['ov_compiled_model_export_model', ['pointer', 'text']],
  getProperty: ['ov_compiled_model_get_property', ['pointer', 'text', 'outPointer']],
  countInputs: ['ov_compiled_model_inputs_size', ['pointer', 'outSize']],
  countOutputs: ['ov_compiled_model_outputs_size', ['pointer', 'outSize']],
  inputByIndex: ['ov_compiled_model_input_by_index', ['pointer', 'size', 'outPointer']],
  outputByIndex: ['ov_compiled_model_output_by_index', ['pointer', 'size', 'outPointer']],
  inputByName: ['ov_compiled_model_input_by_name', ['pointer', 'text', 'outPointer']],
  outputByName: ['ov_compiled_model_output_by_name', ['pointer', 'text', 'outPointer']],
  createRequest: ['ov_compiled_model_create_infer_request', ['pointer', 'outPointer']],
  freeCompiledModel: ['ov_compiled_model_free', ['pointer'], 'void'],

  getPortName: ['ov_port_get_any_name', ['pointer', 'outPointer']],
  getPortType: ['ov_port_get_element_type', ['pointer', 'outType']],
  getPortShape: ['ov_port_get_partial_shape', ['pointer', 'outPartialShape']],
  freePartialShape: ['ov_partial_shape_free', ['partialShapePointer'], 'void'],
  freePort: ['ov_output_const_port_free', ['pointer'], 'void'],

  createTensor: ['ov_tensor_create', ['type', 'shape', 'outPointer']],
  createTensorOver: ['ov_tensor_create_from_host_ptr', ['type', 'shape', 'memory', 'outPointer']],
  getTensorShape: ['ov_tensor_get_shape', ['pointer', 'outShape']],
  freeShape: ['ov_shape_free', ['shapePointer'], 'void'],
  getTensorType: ['ov_tensor_get_element_type', ['pointer', 'outType']],
  getTensorSize: ['ov_tensor_get_byte_size', ['pointer', 'outSize']],
  getTensorData: ['ov_tensor_data', ['pointer', 'outPointer']],
  freeTensor: ['ov_tensor_free', ['pointer'], 'void'],

  setTensor: ['ov_infer_request_set_tensor_by_const_port', ['pointer', 'pointer', 'pointer']],
  getTensor: ['ov_infer_request_get_tensor_by_const_port', ['pointer', 'pointer', 'outPointer']],
  startInference: ['ov_infer_request_start_async', ['pointer']],
  awaitInference: ['ov_infer_request_wait', ['pointer']],
  freeRequest: ['ov_infer_request_free', ['pointer'], 'void'],
} as const satisfies Record<string, Signature>;

/** The two functions that every release has had, so that one that is too old can be told by its own words. */
const versionSignatures = {
  getVersion: ['ov_get_openvino_version', ['outVersion']],
  freeVersion: ['ov_version_free', ['versionPointer'], 'void'],
} as const satisfies Record<string, Signature>;

type Signature =
  | readonly [string, readonly (TypeName | '...')[]]
  | readonly [string, readonly (TypeName | '...')[], TypeName];
type Bound<Signatures extends Readonly<Record<string, Signature>>> = {
  readonly [Name in keyof Signatures]: CFunction<
    ArgsOf<Signatures[Name][1]>,
    Signatures[Name] extends readonly [string, readonly unknown[], infer Result extends TypeName]
      ? ValueOf<Result>
      : ValueOf<'status'>
  >;
};
/** Behind `...` go the type and value of a key, and of what it is to be. */
type ArgsOf<Types extends readonly (TypeName | '...')[]> = Types extends readonly [...infer Fixed, '...']
  ? [...ValuesOf<Fixed>, 'str', string, 'str', string]
  : ValuesOf<Types>;
type ValuesOf<Types extends readonly unknown[]> = {
  -readonly [Index in keyof Types]: Types[Index] extends TypeName ? ValueOf<Types[Index]> : never;
};

/** The functions of OpenVINO that this tool calls. */
export type OpenvinoFunctions = Bound<typeof signatures>;
/** The functions that tell its version. */
export type VersionFunctions = Bound<typeof versionSignatures>;
/** A function that frees what another made. */
export type Free = (handle: Handle) => void;

/** An opened library of C functions. */
type Library = ReturnType<Koffi['load']>;

/**
 * Binds what tells the version.
 *
 * @param koffi - What calls C.
 * @param library - The opened library.
 * @returns The functions.
 * @throws koffi's error that names the first function the library has not.
 */
export function bindVersion(koffi: Koffi, library: Library): VersionFunctions {
  return bindAll(koffi, library, versionSignatures) as unknown as VersionFunctions;
}

/**
 * Binds everything else.
 *
 * @param koffi - What calls C.
 * @param library - The opened library.
 * @returns The functions.
 * @throws koffi's error that names the first function the library has not.
 */
export function bindFunctions(koffi: Koffi, library: Library): OpenvinoFunctions {
  return bindAll(koffi, library, signatures) as unknown as OpenvinoFunctions;
}

function bindAll(koffi: Koffi, library: Library, all: Readonly<Record<string, Signature>>): object {
  const types = makeTypes(koffi);
  const bound = Object.entries(all).map(([name, [symbol, args, result = 'status']]) => {
    const parameters = args.map((type) => (type === '...' ? type : types[type]));
    return [name, library.func(symbol, types[result], parameters)];
  });
  return Object.fromEntries(bound);
}
