import { OptimiseModelError } from '../../messages/error.js';
import type { RecordPlace } from './import-options.js';

/** A JSON object whose fields are not known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Tells a JSON object from everything else.
 *
 * @param value - Anything that was parsed.
 * @returns Whether it has fields.
 */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Takes an object out of another.
 *
 * @param holder - The outer object.
 * @param field - Its key.
 * @returns The inner object; an empty one where there is none.
 */
export function readObject(holder: JsonObject, field: string): JsonObject {
  const value = holder[field];
  return isJsonObject(value) ? value : {};
}

/**
 * Reads a text field.
 *
 * @param holder - The object.
 * @param field - Its key.
 * @returns The text; null where there is none or it is empty.
 */
export function readText(holder: JsonObject, field: string): string | null {
  const value = holder[field];
  return typeof value === 'string' && value !== '' ? value : null;
}

/**
 * Reads a field that may be left out, but not be anything else than a number.
 *
 * @param holder - The object.
 * @param field - Its key.
 * @param place - Where the record stands.
 * @returns The number, ≥ 0; null where the field is missing or null.
 * @throws `import-record-wrong` for anything else.
 */
export function readOptionalNumber(holder: JsonObject, field: string, place: RecordPlace): number | null {
  const value = holder[field];
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  throw OptimiseModelError.of('import-record-wrong', {
    ...place,
    field,
    seen: JSON.stringify(value).slice(0, 60),
    expected: 'a number of at least 0',
  });
}

/**
 * Reads a number that a record cannot do without.
 *
 * @param holder - The object.
 * @param field - Its key.
 * @param place - Where the record stands.
 * @returns The number, ≥ 0.
 * @throws `import-record-wrong` when it is missing or no such number.
 */
export function readNumber(holder: JsonObject, field: string, place: RecordPlace): number {
  const value = readOptionalNumber(holder, field, place);
  if (value !== null) return value;
  throw OptimiseModelError.of('import-record-wrong', {
    ...place,
    field,
    seen: 'missing',
    expected: 'a number of at least 0',
  });
}

/**
 * Reads a text that a record cannot do without.
 *
 * @param holder - The object.
 * @param field - Its key.
 * @param place - Where the record stands.
 * @returns The text, not empty.
 * @throws `import-record-wrong` when it is missing.
 */
export function requireText(holder: JsonObject, field: string, place: RecordPlace): string {
  const text = readText(holder, field);
  if (text !== null) return text;
  throw OptimiseModelError.of('import-record-wrong', {
    ...place,
    field,
    seen: 'missing',
    expected: 'a text that is not empty',
  });
}
