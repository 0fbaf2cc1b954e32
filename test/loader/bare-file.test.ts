import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ColdStartLog, type OpenOptions, openModel } from '../../src/loader/index.js';
import { tinyFeeds, writeTinyArtifact } from '../fixtures/artifact-folder.js';
import { catchError } from '../fixtures/catch-error.js';
import { useTempFolder } from '../fixtures/temp-folder.js';
import { type Answer, startWebServer, type WebServer } from '../services/web-server.js';

const temporaryFolder = useTempFolder();
const commit = `${'c0ffee'.repeat(6)}abcd`;
let files: Map<string, Uint8Array>;
let model: Uint8Array;
let sha256: string;
let logs: ColdStartLog[];
let options: OpenOptions;
let servers: WebServer[];

beforeEach(async () => {
  const folder = await temporaryFolder();
  await writeTinyArtifact(folder);
  model = await readFile(join(folder, 'model.onnx'));
  sha256 = createHash('sha256').update(model).digest('hex');
  files = new Map();
  for (const name of await readdir(folder)) files.set(`/vit/${name}`, await readFile(join(folder, name)));
  logs = [];
  options = { ephemeralDir: await temporaryFolder(), partSizeBytes: 100, onLog: (log) => logs.push(log) };
  servers = [];
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(servers.map((server) => server.stop()));
});

async function serve(answer?: Answer): Promise<WebServer> {
  const server = await startWebServer(files, answer);
  servers.push(server);
  return server;
}

async function runOnce(source: string, more: OpenOptions = {}): Promise<void> {
  const opened = await openModel(source, { ...options, ...more });
  const { y } = await opened.run(tinyFeeds());
  expect(y?.data.at(-1)).toBe(64);
  await opened.close();
}

describe('a staged artifact on a web server', () => {
  it('is opened by its record or its folder, by url without being told', async () => {
    const { url } = await serve();
    for (const source of [`${url}/vit/artifact.json`, `${url}/vit`]) await runOnce(source);
    expect(logs).toMatchObject([
      { delivery: 'url', variantId: 'fp32.single', release: null },
      { delivery: 'url', variantId: 'fp32.single', release: null },
    ]);
  });
});

describe('a bare model file on a web server', () => {
  it.each(['url', 'lazy', undefined] as const)('is opened by %s with the SHA-256 given', async (delivery) => {
    const { url } = await serve();
    await runOnce(`${url}/vit/model.onnx`, { sha256, ...(delivery && { delivery }) });
    expect(logs).toMatchObject([
      {
        status: 'ready',
        delivery: delivery ?? 'url',
        variantId: null,
        engine: 'onnxruntime',
        sizeBytes: model.length,
        session: { prepacking: true, optimisation: 'all' },
      },
    ]);
    expect(await readdir(options.ephemeralDir ?? '')).toEqual([]);
  });

  it('is refused when it is another, when nobody says what it must be, and by deliveries that need an artifact', async () => {
    const { url } = await serve();
    const source = `${url}/vit/model.onnx`;
    const attempts: [OpenOptions, string][] = [
      [{ sha256: 'a'.repeat(64) }, 'download-corrupt'],
      [{}, 'url-hash-unknown'],
      [{ sha256: 'abc' }, 'open-option-wrong'],
      [{ sha256, delivery: 'stream' }, 'bare-file-delivery'],
      [{ sha256, delivery: 'layer' }, 'bare-file-delivery'],
      [{ sha256, variant: 'fp16.single' }, 'variant-missing'],
      [{ sha256, release: 'r1' }, 'release-contradicted'],
    ];
    for (const [wrong, code] of attempts) {
      await expect(openModel(source, { ...options, ...wrong })).rejects.toMatchObject({ code });
    }
    expect(await readdir(options.ephemeralDir ?? '')).toEqual([]);
  });

  it('asks whether `sha256` is right, and speaks of no record', async () => {
    const { url } = await serve();
    const wrong = { ...options, sha256: 'a'.repeat(64) };
    const other = await catchError(() => openModel(`${url}/vit/model.onnx`, wrong));
    expect(other).toMatchObject({
      code: 'download-corrupt',
      facts: { saidBy: 'the option `sha256`', seen: sha256 },
    });
    expect(`${other.message} ${other.remedy}`).toMatch(/the option `sha256` says.* Is `sha256` right/);
    const missing = await catchError(() => openModel(`${url}/vit/none.onnx`, wrong));
    expect(missing).toMatchObject({ code: 'object-missing', facts: { isBare: true } });
    for (const { message, remedy } of [other, missing])
      expect(message + remedy).not.toMatch(/record|artifact/);
  });

  it('may be signed by a query, which goes to the server and nowhere else', async () => {
    const { url, requests } = await serve(({ url: asked }) =>
      asked?.includes('Signature=s3cr3t') ? undefined : { status: 403 },
    );
    await runOnce(`${url}/vit/model.onnx?Signature=s3cr3t`, { sha256 });
    expect(requests.every(({ line }) => line.includes('Signature=s3cr3t'))).toBe(true);
    const wrong = { ...options, sha256: 'a'.repeat(64) };
    const failures = [
      await catchError(() => openModel(`${url}/vit/model.onnx?Signature=s3cr3t`, wrong)),
      await catchError(() => openModel(`${url}/vit/none.onnx?Signature=s3cr3t`, wrong)),
      await catchError(() => openModel(`${url}/vit/model.onnx?other=s3cr3t`, wrong)),
    ];
    const said = failures.map(({ message, remedy, facts }) => `${message}${remedy}${JSON.stringify(facts)}`);
    expect(`${JSON.stringify(logs)}${said.join()}`).not.toContain('s3cr3t');
  });

  it('says how to bring a model that keeps its weights elsewhere', async () => {
    const folder = await temporaryFolder();
    await writeTinyArtifact(folder, { layout: 'external' });
    const bytes = await readFile(join(folder, 'model.onnx'));
    files.set('/vit/external.onnx', bytes);
    const { url } = await serve();
    const more = { sha256: createHash('sha256').update(bytes).digest('hex') };
    const failure = await catchError(() => openModel(`${url}/vit/external.onnx`, { ...options, ...more }));
    expect(failure.code).toBe('bare-file-refused');
    expect(failure.remedy).toContain('optimise-model convert');
  });
});

describe('a file on a model hub', () => {
  const resolved = `/org/name/resolve/${commit}/onnx/model.onnx`;

  it('is read at one commit, with the hash of the hub, from where its bytes are, with no token there', async () => {
    files.set('/blobs/1', model);
    const cdn = await serve();
    const hub = await serve(({ method }) =>
      method === 'HEAD'
        ? {
            status: 302,
            headers: {
              location: `${cdn.url}/blobs/1?Signature=s3cr3t`,
              'x-linked-size': String(model.length),
              'x-linked-etag': `"${sha256}"`,
              'x-repo-commit': commit,
            },
          }
        : { status: 500 },
    );
    vi.stubEnv('HF_ENDPOINT', `${hub.url}/`);
    vi.stubEnv('HF_TOKEN', 't0ken');
    await runOnce('hf:org/name/onnx/model.onnx');
    expect(hub.requests).toEqual([
      { line: 'HEAD /org/name/resolve/main/onnx/model.onnx', authorization: 'Bearer t0ken' },
    ]);
    expect(cdn.requests.length).toBeGreaterThan(1);
    expect(cdn.requests.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
    expect(logs).toMatchObject([{ status: 'ready', source: 'hf:org/name/onnx/model.onnx', delivery: 'url' }]);
    expect(JSON.stringify(logs)).not.toMatch(/s3cr3t|t0ken/);
  });

  it('is held against the hash of the hub, which is said to be its', async () => {
    files.set(resolved, model);
    const headers = {
      'x-repo-commit': commit,
      'content-length': String(model.length),
      'x-linked-etag': `"${'b'.repeat(64)}"`,
    };
    const { url } = await serve(({ method }) => (method === 'HEAD' ? { status: 200, headers } : undefined));
    vi.stubEnv('HF_ENDPOINT', url);
    const failure = await catchError(() => openModel('hf:org/name/onnx/model.onnx', options));
    expect(failure).toMatchObject({ code: 'download-corrupt', facts: { saidBy: 'its server' } });
    expect(failure.message + failure.remedy).not.toMatch(/record|artifact/);
  });

  it('is read at the commit that was found where the hub itself has its bytes', async () => {
    files.set('/org/name/resolve/v1/onnx/model.onnx', new Uint8Array(model.length));
    files.set(resolved, model);
    const headers = { 'x-repo-commit': commit, 'content-length': String(model.length), etag: '"git-blob"' };
    const { url, requests } = await serve(({ method }) =>
      method === 'HEAD' ? { status: 200, headers } : undefined,
    );
    vi.stubEnv('HF_ENDPOINT', url);
    await expect(openModel('hf:org/name@v1/onnx/model.onnx', options)).rejects.toMatchObject({
      code: 'url-hash-unknown',
    });
    await runOnce('hf:org/name@v1/onnx/model.onnx', { sha256 });
    const gets = requests.filter(({ line }) => line.startsWith('GET'));
    expect(gets.length).toBeGreaterThan(1);
    expect(gets.every(({ line }) => line.startsWith(`GET ${resolved} bytes=`))).toBe(true);
  });

  it('is found under the new name of a repository', async () => {
    files.set('/new/name/resolve/main/model.onnx', model);
    const { url } = await serve(({ url: asked }) =>
      asked?.startsWith('/org/')
        ? { status: 307, headers: { location: '/new/name/resolve/main/model.onnx' } }
        : undefined,
    );
    vi.stubEnv('HF_ENDPOINT', url);
    await runOnce('hf:org/name/model.onnx', { sha256 });
  });

  it('may be a staged artifact, by its record or its folder', async () => {
    for (const [path, bytes] of [...files]) files.set(`/org/name/resolve/main${path}`, bytes);
    const { url } = await serve();
    vi.stubEnv('HF_ENDPOINT', url);
    for (const source of ['hf:org/name/vit/artifact.json', 'hf:org/name/vit']) await runOnce(source);
    expect(logs.map(({ variantId }) => variantId)).toEqual(['fp32.single', 'fp32.single']);
  });

  it('is refused when it does not exist, or is no address', async () => {
    const { url } = await serve();
    vi.stubEnv('HF_ENDPOINT', url);
    await expect(openModel('hf:org/name/none.onnx', options)).rejects.toMatchObject({
      code: 'object-missing',
    });
    for (const source of ['hf:org', 'hf:org/name/../x.onnx', 'hf:org/name/a.onnx?token=s3cr3t']) {
      const failure = await catchError(() => openModel(source, options));
      expect(failure.code).toBe('hub-address-wrong');
      expect(JSON.stringify([failure.facts, logs])).not.toContain('s3cr3t');
    }
  });
});
