import { createReadStream, readdirSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { defaultObjectSettings } from '../../src/lib/object-settings.js';
import { fetchArtifact } from '../../src/stage/fetch-artifact.js';
import { stageArtifact } from '../../src/stage/stage-artifact.js';
import { PlainStore } from '../faults/plain-store.js';
import { seededBytes, temporaryFolder, writeOpaqueArtifact } from '../fixtures/opaque-artifact.js';
import { makeBucket } from '../services/bucket.js';
import { requireS3, startS3IfFound, useS3 } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';

const names = [
  'a b.bin',
  'a+b.bin',
  '100%.bin',
  '%41.bin',
  'größe 模型.bin',
  'a#b?c&d=e.bin',
  "it's (1)~!$;,@[].bin",
  'empty',
];
const contents = Object.fromEntries(
  names.map((name, index) => [
    index % 2 === 0 ? name : `sub folder/${name}`,
    seededBytes(name === 'empty' ? 0 : 9_000 + index, index),
  ]),
);
const reading = { concurrency: 3, partSizeBytes: 4_096 };
const writing = { partSizeBytes: 5 * 1024 ** 2, concurrency: 2, settings: defaultObjectSettings };

let running: RunningS3 | undefined;
beforeAll(async () => {
  running = await startS3IfFound();
});
afterAll(() => running?.stop());

/** Serves a folder as a plain web server does, with ranges. */
async function serveFolder(folder: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const path = join(folder, decodeURIComponent(new URL(request.url ?? '', 'http://x').pathname));
    const size = await stat(path).then(
      (found) => found.size,
      () => undefined,
    );
    if (size === undefined) return response.writeHead(404).end();
    if (request.method === 'HEAD') return response.writeHead(200, { 'content-length': size }).end();
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (first === undefined) return createReadStream(path).pipe(response);
    const range = { start: Number(first), end: Number(last) };
    response.writeHead(206, {
      'content-range': `bytes ${range.start}-${range.end}/${size}`,
      'content-length': range.end - range.start + 1,
    });
    return createReadStream(path, range).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function expectSame(folder: string, artifact: string): Promise<void> {
  for (const name of ['artifact.json', ...Object.keys(contents)]) {
    expect((await readFile(join(folder, name))).equals(await readFile(join(artifact, name)))).toBe(true);
  }
}

describe('files with names that addresses give another meaning', () => {
  it('come back from a folder and from a web server as they were staged', async () => {
    const folder = await temporaryFolder();
    const artifact = join(folder, 'artifact');
    await writeOpaqueArtifact(artifact, contents);
    const staged = await stageArtifact({ artifact, to: join(folder, 'store'), name: 'm', ...writing });
    await fetchArtifact({ url: staged.artifactUrl, to: join(folder, 'one'), ...reading });
    await expectSame(join(folder, 'one'), artifact);
    const server = await serveFolder(join(folder, 'store'));
    const url = `${server}/m/objects/${staged.digest}`;
    await fetchArtifact({ url, to: join(folder, 'two'), ...reading });
    await expectSame(join(folder, 'two'), artifact);
  });

  it('come back from a bucket, below a prefix of the kind', async (context) => {
    const s3 = await requireS3(context, running);
    useS3(s3);
    const bucket = await makeBucket(s3);
    const folder = await temporaryFolder();
    const artifact = join(folder, 'artifact');
    await writeOpaqueArtifact(artifact, contents);
    const to = `s3://${bucket.name}/my models+100%`;
    const { artifactUrl } = await stageArtifact({ artifact, to, name: 'm', ...writing });
    await fetchArtifact({ url: artifactUrl, to: join(folder, 'one'), ...reading });
    await expectSame(join(folder, 'one'), artifact);
  });
});

describe('an artifact of a thousand files', () => {
  it.skipIf(process.platform !== 'linux')(
    'is fetched with no more requests at a time, and no more open files, than one of a single file',
    async (context) => {
      const s3 = await requireS3(context, running);
      useS3(s3);
      const bucket = await makeBucket(s3);
      const folder = await temporaryFolder();
      const artifact = join(folder, 'artifact');
      const many = Object.fromEntries(
        Array.from({ length: 1_000 }, (_, index) => [`${index}.bin`, Buffer.from(`${index}`)]),
      );
      const record = await writeOpaqueArtifact(artifact, many);
      // As staging would, which is not what is looked at.
      await new PlainStore(s3, bucket.name, 'm/').putArtifact(record, artifact);
      const url = `s3://${bucket.name}/m/objects/${record.digest}`;
      const openBefore = readdirSync('/proc/self/fd').length;
      let most = 0;
      // At once: later, what was open when the bytes came may be closed.
      const progress = (): void => {
        most = Math.max(most, readdirSync('/proc/self/fd').length);
      };
      const counting = { signal: new AbortController().signal, progress };
      const result = await fetchArtifact(
        { url, to: join(folder, 'out'), ...reading, concurrency: 8 },
        counting,
      );
      expect(result.files).toHaveLength(1_000);
      // Eight connections, eight files, and the one that looks.
      expect(most - openBefore).toBeGreaterThanOrEqual(8);
      expect(most - openBefore).toBeLessThan(30);
      expect(await readFile(join(folder, 'out/999.bin'), 'utf8')).toBe('999');
    },
    60_000,
  );
});
