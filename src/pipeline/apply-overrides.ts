import { resolve } from 'node:path';

/** Settings that a flag or an environment variable gives instead of the file; paths relative to the current folder. */
export type PipelineOverrides = {
  readonly model?: string;
  readonly to?: string;
  readonly partSizeMiB?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly cacheControl?: string | undefined;
  /** Instead of all tags of the file. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** Instead of the file's encryption, its key included. */
  readonly sse?: string | undefined;
  readonly sseKmsKeyId?: string | undefined;
  readonly storageClass?: string | undefined;
  readonly expectedBucketOwner?: string | undefined;
  readonly output?: string;
  readonly runs?: number;
  readonly warm?: number;
  readonly threads?: number;
  readonly objective?: string;
  readonly unconditional?: boolean | undefined;
};

/**
 * Puts overrides into what a pipeline file says; what is wrong there stays, for the schema to refuse.
 *
 * @param content - The file's content as parsed.
 * @param overrides - What is said instead.
 * @param folder - The current folder.
 * @returns The content with the overrides, paths in them absolute.
 */
export function applyOverrides(content: unknown, overrides: PipelineOverrides, folder: string): unknown {
  if (!isMapping(content)) return content;
  // A key with nothing behind it is a section left out.
  const given = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));
  return mergeOverrides(given, overrides, folder);
}

function mergeOverrides(
  content: Record<string, unknown>,
  overrides: PipelineOverrides,
  folder: string,
): Record<string, unknown> {
  const { model, output, runs, warm, threads, objective, unconditional } = overrides;
  return {
    ...content,
    ...dropUndefined({
      model: model === undefined ? undefined : resolve(folder, model),
      output: output === undefined ? undefined : resolve(folder, output),
    }),
    ...mergeSection(content, 'stage', overrideStage(content, overrides, folder)),
    ...mergeSection(content, 'bench', { runs, warm, threads }),
    ...mergeSection(content, 'pick', { objective }),
    // Publishing is asked for by its section: how is no reason to publish.
    ...('publish' in content ? mergeSection(content, 'publish', { unconditional }) : {}),
  };
}

function overrideStage(
  content: Record<string, unknown>,
  overrides: PipelineOverrides,
  folder: string,
): Record<string, unknown> {
  const { to, partSizeMiB, concurrency, cacheControl, tags, storageClass, expectedBucketOwner } = overrides;
  const { sse, sseKmsKeyId } = overrides;
  const said = isMapping(content.stage) ? content.stage.encryption : undefined;
  const kept = isMapping(said) && sse === undefined ? said : {};
  const isSaid = sse !== undefined || sseKmsKeyId !== undefined;
  return {
    to: to === undefined ? undefined : resolveStore(folder, to),
    ...{ partSizeMiB, concurrency, cacheControl, tags, storageClass, expectedBucketOwner },
    encryption: isSaid ? { ...kept, ...dropUndefined({ algorithm: sse, kmsKeyId: sseKmsKeyId }) } : undefined,
  };
}

/**
 * Makes the address of a store absolute.
 *
 * @param folder - What a relative path starts from.
 * @param address - A folder, or an address with a scheme.
 * @returns The address; one with a scheme as it is.
 */
export function resolveStore(folder: string, address: string): string {
  // One with a slash too few is refused as an address, not made into a folder of that name.
  const isAddress = /^([a-z0-9+.-]+:\/\/|(s3|https?|file):)/i.test(address);
  return isAddress ? address : resolve(folder, address);
}

function mergeSection(
  content: Record<string, unknown>,
  key: string,
  overrides: Record<string, unknown>,
): Record<string, unknown> {
  const given = dropUndefined(overrides);
  const section = content[key] ?? {};
  if (Object.keys(given).length === 0 || !isMapping(section)) return {};
  return { [key]: { ...section, ...given } };
}

function dropUndefined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
