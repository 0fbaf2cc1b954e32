import { createReadStream } from 'node:fs';
import type { QualifiedTag, SAXParser, Tag } from 'sax';
import { requirePackage } from '../../lib/require-package.js';

const sax = requirePackage('sax') as typeof import('sax');

/** A constant of an IR, in its main graph or in a body of an If, Loop or TensorIterator. */
export type IrConstant = {
  /** As the IR calls it. */
  readonly name: string;
  /** Where it is: `graph`, or the layer and body that hold it, such as `graph/loop.body`. */
  readonly scope: string;
  /** Names of the value in the exported model; most have none. */
  readonly onnxNames: readonly string[];
  /** OpenVINO's: `f32`, `f16`, `i64`, … */
  readonly elementType: string;
  /** As it is written there, such as `16, 3, 3, 3`. */
  readonly shape: string;
  /** In the `.bin` file, bytes. */
  readonly offset: number;
  readonly sizeBytes: number;
};

/** What an IR's `.xml` says. */
export type IrGraph = {
  readonly irVersion: number;
  /** Highest opset of its operators; 0 for none. */
  readonly opset: number;
  /** In the order of the file. */
  readonly constants: readonly IrConstant[];
};

type OpenLayer = {
  readonly name: string;
  readonly isConstant: boolean;
  data: Readonly<Record<string, string>> | undefined;
  onnxNames: readonly string[];
};

type Reading = {
  irVersion: number;
  opset: number;
  readonly constants: IrConstant[];
  /** Layers and bodies that are open, outermost first. */
  readonly layers: OpenLayer[];
  readonly elements: string[];
  readonly scopes: string[];
};

/**
 * Reads the graph of an IR in pieces: that of a large model has tens of megabytes.
 *
 * @param path - The `.xml` file; one that OpenVINO has written, it is not checked.
 * @param signal - Stops the reading.
 * @returns Its versions and its constants.
 * @throws The file system's own error; the parser's for what is no XML.
 * @see https://docs.openvino.ai/2026/documentation/openvino-ir-format.html
 */
export async function readIr(path: string, signal: AbortSignal): Promise<IrGraph> {
  const reading: Reading = {
    ...{ irVersion: 0, opset: 0, constants: [] },
    ...{ layers: [], elements: [], scopes: ['graph'] },
  };
  const parser = sax.parser(true);
  follow(parser, reading);
  for await (const text of createReadStream(path, { encoding: 'utf8', signal })) parser.write(String(text));
  parser.close();
  const { irVersion, opset, constants } = reading;
  return { irVersion, opset, constants };
}

function follow(parser: SAXParser, reading: Reading): void {
  parser.onerror = (error) => {
    throw error;
  };
  parser.onopentag = (tag) => {
    openElement(tag.name, attributesOf(tag), reading);
    reading.elements.push(tag.name);
  };
  parser.onclosetag = (name) => {
    reading.elements.pop();
    if (name === 'layer') closeLayer(reading);
    else if (isBody(name, reading)) reading.scopes.pop();
  };
}

function openElement(name: string, attributes: Readonly<Record<string, string>>, reading: Reading): void {
  const layer = reading.layers.at(-1);
  if (name === 'net') reading.irVersion = Number(attributes.version);
  else if (name === 'layer') openLayer(attributes, reading);
  else if (isBody(name, reading)) reading.scopes.push(`${reading.scopes.at(-1)}/${layer?.name}.${name}`);
  else if (name === 'data' && layer !== undefined && reading.elements.at(-1) === 'layer')
    layer.data = attributes;
  else if (name === 'port' && layer?.isConstant) layer.onnxNames = splitNames(attributes.names);
}

/** What is right inside a layer and holds layers: `body` of Loop and TensorIterator, `then_body` and `else_body` of If. */
function isBody(name: string, { elements }: Reading): boolean {
  return name.endsWith('body') && elements.at(-1) === 'layer';
}

function openLayer({ name = '', type, version }: Readonly<Record<string, string>>, reading: Reading): void {
  const [, opset = '0'] = /^opset(\d+)$/.exec(version ?? '') ?? [];
  reading.opset = Math.max(reading.opset, Number(opset));
  reading.layers.push({ name, isConstant: type === 'Const', data: undefined, onnxNames: [] });
}

function closeLayer(reading: Reading): void {
  const { name = '', isConstant, data, onnxNames = [] } = reading.layers.pop() ?? {};
  if (!isConstant || data === undefined) return;
  reading.constants.push({
    name,
    scope: reading.scopes.at(-1) ?? '',
    onnxNames,
    elementType: data.element_type ?? '',
    shape: data.shape ?? '',
    offset: Number(data.offset),
    sizeBytes: Number(data.size),
  });
}

/** Several names have commas between them; one in a name is written `\,`. */
function splitNames(names: string | undefined): readonly string[] {
  if (!names) return [];
  return names.split(/(?<!\\),/).map((name) => name.replaceAll('\\,', ','));
}

function attributesOf({ attributes }: Tag | QualifiedTag): Readonly<Record<string, string>> {
  const texts = Object.entries(attributes).map(([name, value]) => [name, String(value)] as const);
  return Object.fromEntries(texts);
}
