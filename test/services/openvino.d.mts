/** OpenVINO: the second engine, as its Python package has it, with the converter to its own format. */
export const openvino: {
  readonly name: string;
  /** The library of its C API. */
  readonly find: () => Promise<string | undefined>;
  /** The Python that it came with. */
  readonly findPython: () => Promise<string | undefined>;
  readonly install: () => Promise<string>;
  readonly whyNot: () => Promise<string | undefined>;
};
