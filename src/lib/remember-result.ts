/**
 * Lets a function work out what it says of an object once; the object must never change.
 *
 * @param compute - The function.
 * @returns The same, which gives the same result again for the same object; it is forgotten with the object.
 */
export function rememberResult<Subject extends object, Result>(
  compute: (subject: Subject) => Result,
): (subject: Subject) => Result {
  const known = new WeakMap<Subject, { readonly result: Result }>();
  return (subject) => {
    const found = known.get(subject);
    if (found !== undefined) return found.result;
    const result = compute(subject);
    known.set(subject, { result });
    return result;
  };
}
