import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findAccount } from '../../src/aws/find-account.js';
import { connectS3 } from '../../src/aws/s3-connection.js';
import { type S3Answer, type S3Call, startScriptedS3 } from './scripted-s3.js';

const expiry = '2099-01-01T00:00:00Z';
const variables = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_PROFILE',
  'AWS_ENDPOINT_URL',
  'AWS_EC2_METADATA_DISABLED',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_ROLE_ARN',
  'AWS_ENDPOINT_URL_STS',
];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'credentials-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of variables) vi.stubEnv(name, undefined);
  vi.stubEnv('AWS_REGION', 'eu-west-3');
  vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'));
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'credentials'));
});

afterEach(() => vi.unstubAllEnvs());

function writeIn(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** A server that is S3 and whatever else the script makes it. */
async function serve(script: (call: S3Call) => S3Answer | undefined) {
  const objects: S3Call[] = [];
  const { endpoint } = await startScriptedS3((call) => {
    const answer = script(call);
    if (answer === undefined) objects.push(call);
    return answer;
  });
  vi.stubEnv('AWS_ENDPOINT_URL_S3', endpoint);
  return { endpoint, objects };
}

/** Sends one request and says as whom. */
async function identityIn(objects: readonly S3Call[]): Promise<{ id: unknown; token: unknown }> {
  const { client } = await connectS3('bucket', process.env);
  await client.send(new HeadObjectCommand({ Bucket: 'bucket', Key: 'k' }));
  const headers = objects.at(-1)?.headers;
  const id = /Credential=([^/]+)/.exec(String(headers?.authorization))?.[1];
  return { id, token: headers?.['x-amz-security-token'] };
}

function json(content: object): S3Answer {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(content) };
}

describe('credentials come from', () => {
  it('a profile', async () => {
    writeIn('credentials', '[lab]\naws_access_key_id = LAB\naws_secret_access_key = s\n');
    vi.stubEnv('AWS_PROFILE', 'lab');
    const { objects } = await serve(() => undefined);
    expect(await identityIn(objects)).toMatchObject({ id: 'LAB' });
  });

  it('the process that a profile names', async () => {
    const answer = {
      Version: 1,
      AccessKeyId: 'PROC',
      SecretAccessKey: 's',
      SessionToken: 't',
      Expiration: expiry,
    };
    const file = writeIn('answer.json', JSON.stringify(answer));
    writeIn('config', `[profile lab]\ncredential_process = cat ${file}\n`);
    vi.stubEnv('AWS_PROFILE', 'lab');
    const { objects } = await serve(() => undefined);
    expect(await identityIn(objects)).toEqual({ id: 'PROC', token: 't' });
  });

  it('STS, for a web identity', async () => {
    const tokens: string[] = [];
    const { endpoint, objects } = await serve(({ body }) => {
      const form = new URLSearchParams(body.toString());
      if (form.get('Action') !== 'AssumeRoleWithWebIdentity') return undefined;
      tokens.push(form.get('WebIdentityToken') ?? '');
      return {
        status: 200,
        headers: { 'content-type': 'text/xml' },
        body: `<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>WEB</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>${expiry}</Expiration></Credentials><AssumedRoleUser><Arn>arn:aws:sts::210987654321:assumed-role/r/s</Arn><AssumedRoleId>x</AssumedRoleId></AssumedRoleUser></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
      };
    });
    vi.stubEnv('AWS_ENDPOINT_URL_STS', endpoint);
    vi.stubEnv('AWS_WEB_IDENTITY_TOKEN_FILE', writeIn('token', 'the.web.token'));
    vi.stubEnv('AWS_ROLE_ARN', 'arn:aws:iam::210987654321:role/r');
    expect(await identityIn(objects)).toEqual({ id: 'WEB', token: 't' });
    expect(tokens).toEqual(['the.web.token']);
  });

  it('the container', async () => {
    const { endpoint, objects } = await serve(({ url }) =>
      url === '/task'
        ? json({ AccessKeyId: 'TASK', SecretAccessKey: 's', Token: 't', Expiration: expiry })
        : undefined,
    );
    vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${endpoint}/task`);
    expect(await identityIn(objects)).toEqual({ id: 'TASK', token: 't' });
  });

  it('the metadata of the instance', async () => {
    const { endpoint, objects } = await serve(({ url }) => {
      if (url === '/latest/api/token') return { status: 200, body: 'metadata-token' };
      const path = url.split('/iam/security-credentials')[1];
      if (path === undefined) return undefined;
      if (path === '' || path === '/') return { status: 200, body: 'role' };
      const keys = { AccessKeyId: 'IMDS', SecretAccessKey: 's', Token: 't', Expiration: expiry };
      return json({ Code: 'Success', Type: 'AWS-HMAC', ...keys });
    });
    vi.stubEnv('AWS_EC2_METADATA_SERVICE_ENDPOINT', endpoint);
    expect(await identityIn(objects)).toEqual({ id: 'IMDS', token: 't' });
  });
});

describe('the account', () => {
  const signal = new AbortController().signal;

  it('is what the credentials say, without a request', async () => {
    const keys = 'aws_access_key_id = LAB\naws_secret_access_key = s\naws_account_id = 123456789012';
    writeIn('credentials', `[lab]\n${keys}\n`);
    vi.stubEnv('AWS_PROFILE', 'lab');
    const { objects } = await serve(() => undefined);
    const connection = await connectS3('bucket', process.env);
    expect(await findAccount(connection, process.env, signal)).toEqual({ id: '123456789012' });
    expect(objects).toEqual([]);
  });

  it('is not known when STS refuses, with the reason', async () => {
    const { endpoint } = await serve(() => ({
      status: 403,
      headers: { 'content-type': 'text/xml' },
      body: '<ErrorResponse><Error><Code>InvalidClientTokenId</Code><Message>m</Message></Error></ErrorResponse>',
    }));
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'a');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'b');
    vi.stubEnv('AWS_ENDPOINT_URL_STS', endpoint);
    const connection = await connectS3('bucket', process.env);
    expect(await findAccount(connection, process.env, signal)).toEqual({
      unknownBecause: 'STS: InvalidClientTokenId',
    });
  });
});
