const signatures: readonly (readonly [signature: string, name: string])[] = [
  ['504b0304', 'a zip archive (such as a PyTorch checkpoint)'],
  ['1f8b', 'gzip-compressed data'],
  ['28b52ffd', 'zstd-compressed data'],
  ['89484446', 'an HDF5 file (such as a Keras model)'],
  ['934e554d5059', 'a NumPy array'],
  ['25504446', 'a PDF'],
  ['7f454c46', 'a program'],
  ['8002', 'a Python pickle'],
  ['8004', 'a Python pickle'],
];

const textStarts: readonly (readonly [start: RegExp, name: string])[] = [
  [/^version https:\/\/git-lfs/, 'a Git LFS pointer: the file itself was not fetched'],
  [/^\s*<(!doctype|html|\?xml)/i, 'a web page or XML'],
  [/^\s*[[{]/, 'JSON text'],
];

/**
 * Names what bytes look like that are no ONNX model.
 *
 * @param bytes - The beginning of the file; 512 bytes are enough.
 * @returns A name such as `a zip archive`, or undefined when nothing is recognised.
 */
export function recogniseBytes(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 512));
  const hex = head.toString('hex');
  const signature = signatures.find(([start]) => hex.startsWith(start));
  if (signature !== undefined) return signature[1];
  if (head.subarray(4, 8).toString('latin1') === 'TFL3') return 'a TensorFlow Lite model';
  const text = head.toString('utf8');
  if (!isText(text)) return undefined;
  return textStarts.find(([start]) => start.test(text))?.[1] ?? 'text';
}

function isText(text: string): boolean {
  for (const letter of text.slice(0, -1)) {
    const code = letter.codePointAt(0) ?? 0;
    if ((code < 32 && !'\n\r\t\f'.includes(letter)) || code === 0xfffd || code === 127) return false;
  }
  return text.length > 0;
}
