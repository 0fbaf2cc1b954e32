/**
 * Adds what a later part of a message holds to what the earlier parts held, as protobuf has it: lists go on, of
 * anything else the last one counts.
 *
 * @param message - The message; changed in place.
 * @param part - A later part of it.
 */
export function mergeInto(message: object, part: object): void {
  const target = message as Record<string, unknown>;
  for (const [name, value] of Object.entries(part)) {
    const list = target[name];
    if (!Array.isArray(value) || !Array.isArray(list) || list.length === 0) target[name] = value;
    else for (const element of value) list.push(element);
  }
}
