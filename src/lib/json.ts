/** Anything that JSON can hold. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/**
 * Prints a document so that no number is lost: NaN and infinities become strings, bigints decimal strings.
 *
 * @param value - The document.
 * @param indent - Spaces per level; 0 for one line.
 * @returns JSON text without a final newline.
 */
export function printJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, (_key, item) => replaceUnprintable(item), indent);
}

function replaceUnprintable(item: unknown): unknown {
  if (typeof item === 'number' && !Number.isFinite(item)) return String(item);
  return typeof item === 'bigint' ? item.toString() : item;
}

/**
 * Prints a document with sorted keys and without spaces, so that equal documents give equal text and can be hashed.
 *
 * @param value - The document.
 * @returns Canonical JSON text.
 */
export function printCanonicalJson(value: JsonValue): string {
  return JSON.stringify(value, (_key, item) =>
    isPlainObject(item) ? Object.fromEntries(Object.entries(item).sort(byKey)) : replaceUnprintable(item),
  );
}

function isPlainObject(item: unknown): item is Record<string, unknown> {
  return typeof item === 'object' && item !== null && !Array.isArray(item);
}

function byKey([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : Number(left > right);
}
