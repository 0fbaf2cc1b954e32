import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectS3 } from '../../src/aws/s3-connection.js';
import { defaultObjectSettings } from '../../src/lib/object-settings.js';

const variables = [
  'AWS_ENDPOINT_URL',
  'AWS_ENDPOINT_URL_S3',
  'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS',
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
  'AWS_PROFILE',
  'AWS_RETRY_MODE',
  'AWS_MAX_ATTEMPTS',
  'AWS_USE_FIPS_ENDPOINT',
  'AWS_USE_DUALSTACK_ENDPOINT',
  'OPTIMISE_MODEL_S3_SILENCE_SECONDS',
];

/** Sets exactly these variables of the AWS environment; a profile file only where one is given. */
function useEnvironment(env: Readonly<Record<string, string>>, config = ''): void {
  const folder = mkdtempSync(join(tmpdir(), 'profile-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'config'), config);
  for (const name of variables) vi.stubEnv(name, undefined);
  if (config === '') {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'a');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'b');
  }
  vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'));
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'none'));
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
}

/** Where a request would go, without sending it. */
async function addressOf(bucket: string): Promise<string> {
  const { client } = await connectS3(bucket, process.env);
  let seen = '';
  client.middlewareStack.add(
    () =>
      async ({ request }) => {
        const { protocol, hostname, port, path } = request as Record<string, string>;
        seen = `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`;
        return { response: {}, output: { $metadata: {} } } as never;
      },
    { step: 'build', priority: 'low', name: 'look' },
  );
  await client.send(new HeadObjectCommand({ Bucket: bucket, Key: 'k' }));
  return seen;
}

async function retriesOf(bucket: string): Promise<unknown[]> {
  const { config } = (await connectS3(bucket, process.env)).client;
  const strategy = (await config.retryStrategy()) as { readonly mode?: string };
  return [strategy.mode, await config.maxAttempts()];
}

afterEach(() => vi.unstubAllEnvs());

describe('the endpoint', () => {
  it.each(['localhost:7070', 'not a url', 'ftp://host'])(
    'is refused when it is %s, and the variable named',
    async (value) => {
      useEnvironment({ AWS_ENDPOINT_URL: value });
      await expect(connectS3('models', process.env)).rejects.toMatchObject({
        code: 's3-endpoint-wrong',
        exitCode: 2,
        facts: { variable: 'AWS_ENDPOINT_URL', value },
      });
    },
  );

  it('comes from the variable made for S3 before the general one', async () => {
    useEnvironment({ AWS_ENDPOINT_URL: 'http://general', AWS_ENDPOINT_URL_S3: 'http://s3.local:1' });
    const connection = await connectS3('models', process.env);
    expect(connection).toMatchObject({ endpoint: 'http://s3.local:1', isAmazon: false });
    expect(await addressOf('models')).toBe('http://s3.local:1/models/k');
  });

  it('comes from the profile, and from its services section before that', async () => {
    const keys = 'aws_access_key_id = a\naws_secret_access_key = b';
    const config = `[profile lab]\n${keys}\nendpoint_url = http://lab:1\nregion = eu-north-1
[profile rack]\n${keys}\nservices = rack\nendpoint_url = http://general:1
[services rack]\ns3 =\n  endpoint_url = http://rack:2\n`;
    useEnvironment({ AWS_PROFILE: 'lab' }, config);
    expect(await addressOf('models')).toBe('http://lab:1/models/k');
    vi.stubEnv('AWS_PROFILE', 'rack');
    expect((await connectS3('models', process.env)).endpoint).toBe('http://rack:2');
    expect(await addressOf('models')).toBe('http://rack:2/models/k');
  });

  it('is Amazon S3 when configured ones are to be ignored', async () => {
    useEnvironment({
      AWS_ENDPOINT_URL: 'http://general',
      AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true',
      AWS_DEFAULT_REGION: 'eu-north-1',
    });
    const connection = await connectS3('models', process.env);
    expect(connection).toMatchObject({ endpoint: 'Amazon S3 (eu-north-1)', isAmazon: true });
    expect(await addressOf('models')).toBe('https://models.s3.eu-north-1.amazonaws.com/k');
  });

  it('shows no password', async () => {
    useEnvironment({ AWS_ENDPOINT_URL: 'http://user:secret@s3.local:1' });
    expect((await connectS3('models', process.env)).endpoint).toBe('http://s3.local:1');
  });

  it('follows the variables for FIPS and dual stack', async () => {
    useEnvironment({
      AWS_REGION: 'us-east-2',
      AWS_USE_FIPS_ENDPOINT: 'true',
      AWS_USE_DUALSTACK_ENDPOINT: 'true',
    });
    expect(await addressOf('models')).toBe('https://models.s3-fips.dualstack.us-east-2.amazonaws.com/k');
  });
});

describe('the region', () => {
  it('is missing when nobody names it', async () => {
    useEnvironment({});
    await expect(connectS3('models', process.env)).rejects.toMatchObject({ code: 's3-region-missing' });
  });

  it('comes from the profile', async () => {
    useEnvironment({ AWS_PROFILE: 'lab' }, '[profile lab]\nregion = eu-north-1\n');
    expect((await connectS3('models', process.env)).endpoint).toBe('Amazon S3 (eu-north-1)');
  });
});

describe('retries', () => {
  it('are adaptive and three, unless environment or profile say otherwise', async () => {
    useEnvironment({ AWS_REGION: 'eu-west-1' });
    expect(await retriesOf('models')).toEqual(['adaptive', 3]);
    vi.stubEnv('AWS_RETRY_MODE', 'standard');
    vi.stubEnv('AWS_MAX_ATTEMPTS', '7');
    expect(await retriesOf('models')).toEqual(['standard', 7]);
    useEnvironment(
      { AWS_PROFILE: 'lab' },
      '[profile lab]\nregion = eu-north-1\nretry_mode = standard\nmax_attempts = 5\n',
    );
    expect(await retriesOf('models')).toEqual(['standard', 5]);
  });

  it('are those of the environment that the connection is made with', async () => {
    useEnvironment({ AWS_MAX_ATTEMPTS: '9' });
    const env = { AWS_REGION: 'eu-west-1', AWS_RETRY_MODE: 'standard', AWS_MAX_ATTEMPTS: '7' };
    const { config } = (await connectS3('models', env)).client;
    expect(await config.retryStrategy()).toMatchObject({ mode: 'standard' });
    expect(await config.maxAttempts()).toBe(7);
  });

  it.each(['0', '-1', 'a minute', '1e9', '0x10'])('refuse %s as the time of silence', async (value) => {
    useEnvironment({ AWS_REGION: 'eu-west-1', OPTIMISE_MODEL_S3_SILENCE_SECONDS: value });
    await expect(connectS3('models', process.env)).rejects.toMatchObject({
      code: 's3-silence-wrong',
      exitCode: 2,
      facts: { variable: 'OPTIMISE_MODEL_S3_SILENCE_SECONDS', value },
    });
  });
});

describe('an S3 Express directory bucket', () => {
  const bucket = 'models--use1-az4--x-s3';

  it('is addressed at its zone, not by path', async () => {
    useEnvironment({ AWS_REGION: 'us-east-1', AWS_S3_DISABLE_EXPRESS_SESSION_AUTH: 'true' });
    expect(await addressOf(bucket)).toBe(`https://${bucket}.s3express-use1-az4.us-east-1.amazonaws.com/k`);
    expect((await connectS3(bucket, process.env)).isDirectoryBucket).toBe(true);
  });

  it('is not addressed by path at another endpoint either', async () => {
    useEnvironment({
      AWS_ENDPOINT_URL_S3: 'https://s3express.example',
      AWS_S3_DISABLE_EXPRESS_SESSION_AUTH: 'true',
    });
    expect(await addressOf(bucket)).toBe(`https://${bucket}.s3express.example/k`);
  });

  it('refuses what it does not take, all at once', async () => {
    useEnvironment({ AWS_REGION: 'us-east-1' });
    const settings = {
      ...defaultObjectSettings,
      tags: { team: 'ml' },
      storageClass: 'STANDARD_IA',
      encryption: { algorithm: 'aws:kms:dsse', kmsKeyId: null },
    } as const;
    await expect(connectS3(bucket, process.env, settings)).rejects.toMatchObject({
      code: 's3-setting-unfit',
      exitCode: 2,
      facts: { unfit: ['tags', 'storage class STANDARD_IA', 'encryption aws:kms:dsse'] },
    });
    const fitting = { ...defaultObjectSettings, storageClass: 'EXPRESS_ONEZONE' };
    await expect(connectS3(bucket, process.env, fitting)).resolves.toMatchObject({ bucket });
  });
});
