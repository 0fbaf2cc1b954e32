/**
 * Shows an address as it may stand in logs, facts and messages: without user name and password, and without query and
 * fragment, where signatures are.
 *
 * @param address - An address with a scheme, also a malformed one; a path is shown as it is.
 * @returns The address without what may be secret.
 */
export function showAddress(address: string): string {
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.exec(address)?.[0];
  if (scheme === undefined) return address.startsWith('hf:') ? address.replace(/[?#].*$/s, '') : address;
  const rest = address.slice(scheme.length);
  const place = URL.canParse(address) ? dropUser(rest) : rest.slice(rest.lastIndexOf('@') + 1);
  return scheme + place.replace(/[?#].*$/s, '');
}

/** Only what comes before the first `/`, `?` or `#` can hold a user: an `@` behind it belongs to the path. */
function dropUser(rest: string): string {
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? '';
  return rest.slice(authority.lastIndexOf('@') + 1);
}
