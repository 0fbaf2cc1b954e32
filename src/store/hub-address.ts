import { showAddress } from '../lib/show-address.js';
import { OptimiseModelError } from '../messages/error.js';

const usualEndpoint = 'https://huggingface.co';

/** A file or folder of a model hub's repository. */
export type HubAddress = {
  /** `ORG/NAME`. */
  readonly repository: string;
  /** Branch, tag or commit. */
  readonly revision: string;
  /** Path in the repository, with `/`; empty for its root. */
  readonly path: string;
};

/**
 * Takes the address of something on a model hub apart.
 *
 * @param source - `hf:ORG/NAME/PATH` or `hf:ORG/NAME@REVISION/PATH`; a `/` in the revision is written `%2F`.
 * @returns Its parts, with revision `main` where none is named; undefined for an address that does not begin with `hf:`.
 * @throws `hub-address-wrong`.
 */
export function parseHubAddress(source: string): HubAddress | undefined {
  if (!source.startsWith('hf:')) return undefined;
  const match =
    /^hf:([A-Za-z0-9][A-Za-z0-9._-]*\/[A-Za-z0-9][A-Za-z0-9._-]*)(?:@([A-Za-z0-9._%-]+))?(?:\/+(.*))?$/.exec(
      source,
    );
  const [, repository, revision = 'main', path = ''] = match ?? [];
  const isPath = path.split('/').every((part) => part !== '..' && part !== '.') && !/[?#]/.test(path);
  if (repository === undefined || !isPath) {
    throw OptimiseModelError.of('hub-address-wrong', { source: showAddress(source) });
  }
  return { repository, revision: revision.replaceAll('%2F', '/'), path: path.replace(/\/+$/, '') };
}

/**
 * Writes where something on a model hub is downloaded from.
 *
 * @param address - What.
 * @param environment - `HF_ENDPOINT` names another hub than huggingface.co, such as a mirror.
 * @returns Its http(s) address.
 * @see https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables
 */
export function hubUrl(
  { repository, revision, path }: HubAddress,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  const file = path.split('/').map(encodeURIComponent).join('/');
  const place = `${readEndpoint(environment)}/${repository}/resolve/${encodeURIComponent(revision)}`;
  return file === '' ? place : `${place}/${file}`;
}

/**
 * Says who asks, to the model hub and to nobody else; `fetch` drops it when it is led to another host.
 *
 * @param url - What is asked for.
 * @param environment - `HF_TOKEN`, and `HF_ENDPOINT` as in {@link hubUrl}.
 * @returns A header for requests to the hub; none for any other address, or without a token.
 */
export function hubAuthorization(
  url: string,
  environment: NodeJS.ProcessEnv,
): { readonly authorization?: string } {
  const token = environment.HF_TOKEN?.trim();
  const endpoint = readEndpoint(environment);
  if (!token || !URL.canParse(endpoint) || new URL(url).origin !== new URL(endpoint).origin) return {};
  return { authorization: `Bearer ${token}` };
}

function readEndpoint(environment: NodeJS.ProcessEnv): string {
  return (environment.HF_ENDPOINT || usualEndpoint).replace(/\/+$/, '');
}
