import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultObjectSettings } from '../../src/lib/object-settings.js';
import { quietContext } from '../../src/lib/work-context.js';
import { type PublishOptions, publishRelease } from '../../src/publish/publish-release.js';
import { publishStep } from '../../src/publish/step.js';
import { stageArtifact } from '../../src/stage/stage-artifact.js';
import { parseReleaseRecord } from '../../src/store/parse-release.js';
import { parseCurrentRecord } from '../../src/store/release-record.js';
import { resolveStaged } from '../../src/store/resolve-staged.js';
import { seededBytes, temporaryFolder, writeOpaqueArtifact } from '../fixtures/opaque-artifact.js';
import { choiceOf, releasedOf } from '../fixtures/opaque-release.js';

const now = new Date('2026-11-30T16:05:01.234Z');

async function prepare(): Promise<{ store: string; options: PublishOptions }> {
  const folder = await temporaryFolder();
  const artifact = join(folder, 'artifact');
  const store = join(folder, 'store');
  const record = await writeOpaqueArtifact(artifact, { 'model.onnx': seededBytes(5_000, 7) });
  const how = { partSizeBytes: 5 * 1024 ** 2, concurrency: 1, settings: defaultObjectSettings };
  await stageArtifact({ artifact, to: store, name: 'vit', ...how });
  const about = { name: 'vit', reason: 'the fastest', to: 'current' as const, now };
  return {
    store,
    options: { storeUrl: store, chosen: choiceOf(record), artifacts: [releasedOf(record)], ...about },
  };
}

describe('publishing a release', () => {
  it('writes the release and points current.json to it', async () => {
    const { store, options } = await prepare();
    const result = await publishRelease(options);
    const release = `20261130T160501Z-${options.chosen.digest.slice(0, 8)}`;
    expect(result).toEqual({
      release,
      releaseUrl: join(store, 'vit/releases', `${release}.json`),
      currentUrl: join(store, 'vit/current.json'),
      previousRelease: null,
      findings: [],
    });
    const current = parseCurrentRecord(await readFile(result.currentUrl, 'utf8'), 'current');
    expect(current).toMatchObject({ name: 'vit', release, releaseKey: `releases/${release}.json` });
    const written = parseReleaseRecord(await readFile(result.releaseUrl, 'utf8'), 'release');
    expect(written).toMatchObject({
      createdAt: now.toISOString(),
      chosen: options.chosen,
      artifacts: options.artifacts,
    });
    for (const url of [result.currentUrl, result.releaseUrl]) {
      const resolved = await resolveStaged(url, undefined, undefined);
      expect(resolved).toMatchObject({
        filesPrefix: `vit/objects/${options.chosen.digest}/`,
        release: { release },
      });
    }
  });

  it('keeps the earlier release and names it', async () => {
    const { store, options } = await prepare();
    const first = await publishRelease(options);
    const second = await publishRelease({ ...options, now: new Date(now.getTime() + 60_000) });
    expect(second.previousRelease).toBe(first.release);
    expect(await readdir(join(store, 'vit/releases'))).toEqual([
      `${first.release}.json`,
      `${second.release}.json`,
    ]);
  });

  it('lets one of two who publish at the same moment win, and tells the other', async () => {
    const { options } = await prepare();
    const others = [0, 1, 2].map((second) =>
      publishRelease({ ...options, now: new Date(now.getTime() + second * 1000) }),
    );
    const ended = await Promise.allSettled(others);
    const winners = ended.filter((end) => end.status === 'fulfilled');
    const losers = ended.filter((end) => end.status === 'rejected');
    expect(winners).toHaveLength(1);
    for (const loser of losers) expect(loser.reason).toMatchObject({ code: 'publish-conflict', exitCode: 3 });
    const current = await resolveStaged(join(options.storeUrl, 'vit/current.json'), undefined, undefined);
    expect(current.release?.release).toBe(winners[0]?.value.release);
    const again = new Date(now.getTime() + ended.findIndex((end) => end.status === 'fulfilled') * 1000);
    await expect(publishRelease({ ...options, now: again })).rejects.toMatchObject({
      code: 'publish-conflict',
    });
  });

  it('names everything that a release would point to and that is not there', async () => {
    const { store, options } = await prepare();
    const base = join(store, 'vit/objects', options.chosen.digest);
    await writeFile(join(base, 'model.onnx'), 'short');
    await rm(join(base, 'artifact.json'));
    const chosen = { ...options.chosen, digest: 'f'.repeat(64) };
    await expect(publishRelease({ ...options, chosen })).rejects.toMatchObject({
      code: 'publish-not-staged',
      exitCode: 2,
      facts: {
        problems: [
          expect.stringContaining('not among the artifacts'),
          expect.stringContaining('has 5 bytes instead of 5000'),
          expect.stringContaining('artifact.json is missing'),
        ],
      },
    });
    expect(await readdir(join(store, 'vit'))).toEqual(['objects']);
  });

  it('publishes nothing that was damaged without changing its size', async () => {
    const { store, options } = await prepare();
    const path = join(store, 'vit/objects', options.chosen.digest, 'model.onnx');
    await writeFile(path, Buffer.alloc(5_000));
    await expect(publishRelease(options)).rejects.toMatchObject({
      code: 'publish-not-staged',
      facts: { problems: [expect.stringContaining('has another content')] },
      remedy: expect.stringContaining(`--to ${store} --name vit`),
    });
    expect(await readdir(join(store, 'vit'))).toEqual(['objects']);
  });

  it.each([
    '{"kind":"other"}',
    '{"kind":"current","schemaVersion":2}',
    '{"kind":"current","schemaVersion":1,"name":"x","release":"r","releaseKey":"releases/r.json","updatedAt":"x"}',
  ])('does not overwrite a current.json that is not one of ours: %s', async (text) => {
    const { store, options } = await prepare();
    await writeFile(join(store, 'vit/current.json'), text);
    await expect(publishRelease(options)).rejects.toMatchObject({
      ...{ code: 'current-foreign', exitCode: 2, remedy: expect.stringContaining('vit/current.json') },
    });
    expect(await readFile(join(store, 'vit/current.json'), 'utf8')).toBe(text);
  });

  it('publishes the same artifact twice in a row as a step, each time as a release of its own', async () => {
    const { options } = await prepare();
    const { now: _now, ...stepOptions } = options;
    const context = { signal: new AbortController().signal, progress: () => undefined };
    const first = await publishStep({ ...stepOptions, movesBack: false }).call(context);
    const second = await publishStep({ ...stepOptions, movesBack: false }).call(context);
    expect(second.output.previousRelease).toBe(first.output.release);
    expect(second.output.release > first.output.release).toBe(true);
  });

  it('is still done as a step while its release is there, and leaves a current.json that was moved', async () => {
    const { store, options } = await prepare();
    const { now: _now, ...stepOptions } = options;
    const step = publishStep({ ...stepOptions, movesBack: false });
    const { output, line } = await step.call({
      signal: new AbortController().signal,
      progress: () => undefined,
    });
    expect(line).toContain(output.release);
    expect(await step.ensures(output, quietContext())).toMatchObject({ output, line, findings: [] });
    const other = await publishRelease({ ...options, now });
    expect(await step.ensures(output, quietContext())).toMatchObject({
      output,
      line: expect.stringContaining(other.release),
      findings: [
        {
          code: 'current-moved',
          severity: 'warning',
          facts: { current: other.release, release: output.release },
        },
      ],
    });
    const current = await resolveStaged(other.currentUrl, undefined, undefined);
    expect(current.release?.release).toBe(other.release);
    await rm(join(store, 'vit/current.json'));
    expect(await step.ensures(output, quietContext())).toBe(false);
    await publishRelease({ ...options, now: new Date(now.getTime() + 60_000) });
    await rm(output.releaseUrl);
    expect(await step.ensures(output, quietContext())).toBe(false);
  });
});
