import { commander } from './commander.js';

/** What `--input` says of one model input; the same keys as in a pipeline file. */
type InputFlag = {
  readonly shape?: number[];
  readonly fill?: 'normal' | 'uniform' | 'zeros' | 'ones' | 'constant';
  readonly seed?: number;
  readonly value?: number;
  readonly min?: number;
  readonly max?: number;
  readonly file?: string;
};

/** The inputs that `--input` flags gave, by name. */
export type InputFlags = Readonly<Record<string, InputFlag>>;

const fills = ['normal', 'uniform', 'zeros', 'ones', 'constant'] as const;
const numberKeys = ['seed', 'value', 'min', 'max'] as const;

/**
 * Reads a whole number ≥ 1.
 *
 * @param text - The flag's value.
 * @returns The number.
 * @throws InvalidArgumentError, which commander words.
 */
export function parsePositiveInteger(text: string): number {
  if (!/^0*[1-9]\d{0,14}$/.test(text))
    throw new commander.InvalidArgumentError('It must be a whole number of at least 1.');
  return Number(text);
}

/**
 * Reads a whole number ≥ 0.
 *
 * @param text - The flag's value.
 * @returns The number.
 * @throws InvalidArgumentError, which commander words.
 */
export function parseWholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new commander.InvalidArgumentError('It must be a whole number of at least 0.');
  return Number(text);
}

/**
 * Reads a number such as `1e-3`.
 *
 * @param text - The flag's value.
 * @returns The number, finite.
 * @throws InvalidArgumentError, which commander words.
 */
export function parseNumber(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new commander.InvalidArgumentError('It must be a number, such as 1e-3.');
  return value;
}

/**
 * Reads the path of what is to be written: an empty one, as an unset variable gives, would mean the current folder.
 *
 * @param text - The flag's value.
 * @returns The path, not empty.
 * @throws InvalidArgumentError, which commander words.
 */
export function parsePath(text: string): string {
  if (text.trim() === '') throw new commander.InvalidArgumentError('It must be a path.');
  return text;
}

/**
 * Reads a share of something.
 *
 * @param text - The flag's value.
 * @returns The number, from 0 to 1.
 * @throws InvalidArgumentError, which commander words.
 */
export function parseShare(text: string): number {
  const value = parseNumber(text);
  if (value < 0 || value > 1)
    throw new commander.InvalidArgumentError('It must be a number from 0 to 1, such as 0.01.');
  return value;
}

/**
 * Reads one `--input NAME=…` and adds it to those before.
 *
 * @param text - `NAME=1x3x48x320`, `NAME=@file.npy`, or `NAME=` with a list such as `1x512,fill=uniform,seed=3` or
 *   `value=16000`.
 * @param before - What earlier `--input` flags gave.
 * @returns All inputs so far.
 * @throws InvalidArgumentError, which commander words.
 */
export function collectInput(text: string, before: InputFlags): InputFlags {
  const split = text.indexOf('=');
  if (split < 1)
    throw new commander.InvalidArgumentError('It must be NAME=1x3x224x224, NAME=@file.npy or NAME=value=1.');
  const [name, rest] = [text.slice(0, split), text.slice(split + 1)];
  return { ...before, [name]: rest.startsWith('@') ? { file: rest.slice(1) } : parseInputParts(rest) };
}

function parseInputParts(text: string): InputFlag {
  return Object.assign({}, ...text.split(',').map(parseInputPart));
}

function parseInputPart(part: string): InputFlag {
  if (/^\d+(x\d+)*$/.test(part)) return { shape: part.split('x').map(Number) };
  const [key = '', value = ''] = part.split('=');
  const fill = fills.find((item) => item === value);
  if (key === 'fill' && fill !== undefined) return { fill };
  const numberKey = numberKeys.find((item) => item === key);
  if (numberKey === undefined) {
    throw new commander.InvalidArgumentError(
      `\`${part}\` is neither a shape such as 1x3x48x320 nor one of fill=${fills.join('|')}, ${numberKeys.map((item) => `${item}=N`).join(', ')}.`,
    );
  }
  const number = parseNumber(value);
  return numberKey === 'value' ? { value: number, fill: 'constant' } : { [numberKey]: number };
}
