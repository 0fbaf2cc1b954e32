const longest = 300;
/** Where in OpenVINO's own source a check is, and that there was one. */
const noise =
  /^(?:Check '.*' failed at .*:|Exception from .*:|FrontEnd API failed with .*:|Loading input model)$/;

/** Why OpenVINO does not read a model, in its own words but fewer. */
export type ShortRefusal = {
  /** A clause. */
  readonly reason: string;
  /** The operators that it names, with their domain or opset as it writes them; empty where it names none. */
  readonly operators: readonly string[];
};

/**
 * Takes what matters out of a refusal of OpenVINO's, which has pages for some models.
 *
 * @param text - What it said.
 * @returns The operators that it has not or could not convert, with the first reason that it gives; else its first words.
 */
export function shortenRefusal(text: string): ShortRefusal {
  const unknown = listAfter(text, 'No conversion rule found for operations:');
  const failed = listAfter(text, 'Conversion is failed for:');
  const known = readShort(text);
  if (unknown.length + failed.length === 0 && known.length > 0)
    return { reason: text.trim().replace(/\.$/, ''), operators: known };
  const clauses = [
    ...(unknown.length === 0 ? [] : [`it has no conversion for ${unknown.join(', ')}`]),
    ...(failed.length === 0 ? [] : [`it could not convert ${failed.join(', ')}${firstCause(text)}`]),
  ];
  const reason = clauses.length > 0 ? clauses.join('; ') : cut(plainLines(text).join(' ').replace(/\.$/, ''));
  return { reason, operators: [...unknown, ...failed] };
}

/**
 * Tells whether the installation lacks what reads ONNX: OpenVINO doubts the model then.
 *
 * @param text - What it said.
 * @returns What it lacks, a clause; null for any other refusal.
 */
export function findLackingReader(text: string): string | null {
  const [, list] = /Available frontends:[ \t]*([^\n]*)/.exec(text) ?? [];
  if (list === undefined || /\bonnx\b/.test(list) || !/\bmodel format: onnx\b|\.onnx\b/.test(text))
    return null;
  return `it lacks the reader of ONNX, libopenvino_onnx_frontend (it reads ${list.replace(/ \([A-Z_]+\)$/, '').trim() || 'nothing'})`;
}

/** The operators of what this has shortened before. */
function readShort(text: string): readonly string[] {
  const found = text.matchAll(/\bit (?:has no conversion for|could not convert) ([^;(]+)/g);
  return [...found].flatMap(([, list = '']) => list.trim().replace(/\.$/, '').split(', '));
}

function listAfter(text: string, title: string): readonly string[] {
  const start = text.indexOf(title);
  if (start === -1) return [];
  const [line = ''] = text.slice(start + title.length).split('\n', 1);
  return line
    .replace(/ \([A-Z_]+\)$/, '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** The last line of the first operator's log: those before say how it came to that. */
function firstCause(text: string): string {
  const log = text.split(/^-- .* with a message:$/m)[1]?.split(/^(?:-- |Summary:)/m)[0] ?? '';
  const cause = plainLines(log).at(-1);
  return cause === undefined ? '' : ` (${cut(cause.replace(/\.$/, ''))})`;
}

function plainLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !noise.test(line));
}

function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}
