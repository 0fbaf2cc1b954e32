import { OptimiseModelError } from '../messages/error.js';

/** A JSON object whose fields are not known to be right. */
export type Fields = Readonly<Record<string, unknown>>;

/** Lists and objects that a document may have: a plan of 100,000 edited nodes has some 200,000 parts. */
const mostValues = 1_000_000;

/** Reads fields of one document and says which one is wrong. Documents come from outside and are not trusted. */
export class RecordReader {
  readonly #where: string;

  /** @param where - The address of the document, for messages. */
  constructor(where: string) {
    this.#where = where;
  }

  /**
   * Refuses the document.
   *
   * @param problem - What is wrong with it.
   * @param cause - The error underneath.
   * @returns Never.
   * @throws `record-wrong`.
   */
  refuse(problem: string, cause?: unknown): never {
    throw OptimiseModelError.of('record-wrong', { where: this.#where, problem }, cause);
  }

  /**
   * Parses the document and checks what kind it is.
   *
   * @param text - JSON text.
   * @param kind - The kind it must say it is.
   * @returns Its fields.
   */
  open(text: string, kind: string): Fields {
    if (countOpenings(text) > mostValues) this.refuse(`it has more than ${mostValues} lists and objects`);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      this.refuse('it is not JSON', cause);
    }
    const fields = this.fields(value, 'the document');
    if (fields.kind !== kind) this.refuse(`\`kind\` is ${print(fields.kind)}, expected "${kind}"`);
    if (fields.schemaVersion !== 1) {
      this.refuse(`\`schemaVersion\` is ${print(fields.schemaVersion)}, expected 1`);
    }
    return fields;
  }

  /** @returns `value` as an object's fields. */
  fields(value: unknown, name: string): Fields {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.refuse(`${name} is ${print(value)}, expected an object`);
    }
    return value as Fields;
  }

  /** @returns `value` as a list. */
  list(value: unknown, name: string): readonly unknown[] {
    if (!Array.isArray(value)) this.refuse(`${name} is ${print(value)}, expected a list`);
    return value;
  }

  /** @returns `value` as a text that is not empty. */
  text(value: unknown, name: string): string {
    if (typeof value !== 'string' || value === '') this.refuse(`${name} is ${print(value)}, expected a text`);
    return value;
  }

  /** @returns `value` as a whole number from 0 to `most`, such as a number of bytes. */
  count(value: unknown, name: string, most = Number.MAX_SAFE_INTEGER): number {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || value > most) {
      const limit = most === Number.MAX_SAFE_INTEGER ? '≥ 0' : `from 0 to ${most}`;
      this.refuse(`${name} is ${print(value)}, expected a whole number ${limit}`);
    }
    return value;
  }

  /** @returns `value` as 64 lower-case hexadecimal digits. */
  sha256(value: unknown, name: string): string {
    if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value)) {
      this.refuse(`${name} is ${print(value)}, expected 64 hexadecimal digits`);
    }
    return value;
  }

  /** @returns `value` as one of `choices`. */
  choice<const Choice extends string>(value: unknown, name: string, choices: readonly Choice[]): Choice {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) this.refuse(`${name} is ${print(value)}, expected ${choices.join(' or ')}`);
    return found;
  }
}

/**
 * Each takes many times its characters in memory, so that they are counted before they are parsed. Found by `indexOf`: a
 * loop over the characters of a plan takes 40 times as long as parsing it, before the compiler has seen it.
 */
function countOpenings(text: string): number {
  let count = 0;
  for (const opening of '[{') {
    for (let at = text.indexOf(opening); at !== -1; at = text.indexOf(opening, at + 1)) count += 1;
  }
  return count;
}

function print(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value).slice(0, 80);
}
