import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { temporaryFolder } from '../fixtures/opaque-artifact.js';
import { makeBucket } from '../services/bucket.js';
import { requireS3, startS3IfFound, useS3 } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';

/** Runs the same tests against a folder and a real S3 server; the address is known inside of a test. */
export function describeEachStore(what: string, body: (store: { readonly url: string }) => void): void {
  describe(`${what}, in a folder`, () => {
    const store = { url: '' };
    beforeEach(async () => {
      store.url = join(await temporaryFolder(), 'store');
    });
    body(store);
  });
  describeS3(what, body);
}

/** Runs tests against a real S3 server. */
export function describeS3(what: string, body: (store: { readonly url: string }) => void): void {
  describe(`${what}, on a real S3 server`, () => {
    const store = { url: '' };
    let running: RunningS3 | undefined;
    beforeAll(async () => {
      running = await startS3IfFound();
    });
    afterAll(() => running?.stop());
    beforeEach(async (context) => {
      const s3 = await requireS3(context, running);
      useS3(s3);
      store.url = `s3://${(await makeBucket(s3)).name}/models`;
    });
    body(store);
  });
}
