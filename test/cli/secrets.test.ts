import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type S3Answer, type S3Call, startScriptedS3 } from '../aws/scripted-s3.js';
import { makeProject, runCli } from './run-cli.js';

const secrets = {
  key: 'SECRETKEY/wJalrXUtnFEMI+K7MDENG',
  token: 'SESSIONTOKEN/FwoGZXIvYXdzEJr+Z==',
  password: 'PASSWORD-in-address',
  argument: 'ARGUMENT-of-process',
  query: 'SIGNATURE-in-query',
  webToken: 'WEBTOKEN.eyJhbGciOiJSUzI1NiJ9.x',
};
const keyId = 'AKIDVERYRECOGNISABLE';
let project: string;

beforeAll(async () => {
  project = await makeProject();
  await runCli(['convert', 'model.onnx', '--precision', 'fp32', '--out', 'made'], project);
});

afterAll(() => rm(project, { recursive: true }));

const usual = {
  AWS_ACCESS_KEY_ID: keyId,
  AWS_SECRET_ACCESS_KEY: secrets.key,
  AWS_SESSION_TOKEN: secrets.token,
  AWS_REGION: 'us-east-1',
  AWS_MAX_ATTEMPTS: '1',
  AWS_EC2_METADATA_DISABLED: 'true',
  OPTIMISE_MODEL_S3_SILENCE_SECONDS: '0.3',
};

/** Runs it for people, with all details, and as JSON; both must fail and keep every secret. */
async function expectSilence(words: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const [shown, document] = await Promise.all([
    runCli([...words, '--verbose'], project, env),
    runCli([...words, '--json'], project, env),
  ]);
  const said = [shown.stdout, shown.stderr, document.stdout, document.stderr].join('\n');
  expect([shown.exitCode, document.exitCode]).toSatisfy((codes: number[]) =>
    codes.every((code) => code === 2 || code === 3),
  );
  for (const secret of [...Object.values(secrets), keyId]) {
    expect(said).not.toContain(secret);
    expect(said).not.toContain(encodeURIComponent(secret));
  }
  expect(JSON.parse(document.stdout).error.code).toMatch(/^(s3-|store-url-wrong|http-)/);
}

const stage = (to = 's3://bucket/p') => ['stage', 'made', '--to', to, '--name', 'tiny'];

function refuse(status: number, code: string, more = ''): S3Answer {
  return { status, body: `<Error><Code>${code}</Code><Message>no</Message>${more}</Error>` };
}

/** What S3 or something in front of it says, the sent headers and keys quoted. */
const answers: Readonly<Record<string, (call: S3Call) => S3Answer>> = {
  'an unknown key': () => refuse(403, 'InvalidAccessKeyId', `<AWSAccessKeyId>${keyId}</AWSAccessKeyId>`),
  'a wrong signature': ({ headers }) =>
    refuse(
      403,
      'SignatureDoesNotMatch',
      `<StringToSign>AWS4-HMAC-SHA256</StringToSign><CanonicalRequest>x-amz-security-token:${headers['x-amz-security-token']}</CanonicalRequest>`,
    ),
  'an expired token': ({ headers }) =>
    refuse(400, 'ExpiredToken', `<Token-0>${headers['x-amz-security-token']}</Token-0>`),
  'a refusal': () => refuse(403, 'AccessDenied'),
  'a refusal that quotes what was sent': ({ headers }) => ({
    status: 403,
    body: `<Error><Code>AccessDenied</Code><Message>${keyId} with ${headers['x-amz-security-token']} may not; ${headers.authorization}</Message></Error>`,
  }),
  'another region': () => ({
    ...refuse(301, 'PermanentRedirect'),
    headers: { 'x-amz-bucket-region': 'us-east-1' },
  }),
  'a redirect with a signature': () => ({
    ...refuse(307, 'TemporaryRedirect'),
    headers: { location: `http://127.0.0.1:1/?X-Amz-Signature=${secrets.query}` },
  }),
  'a broken server': () => refuse(500, 'InternalError'),
  'a page of a proxy that quotes the request': ({ headers }) => ({
    status: 502,
    headers: { 'content-type': 'text/html' },
    body: `<html>bad gateway: ${headers['x-amz-security-token']}</html>`,
  }),
  'a name that is the token': ({ headers }) => refuse(400, String(headers['x-amz-security-token'])),
  'a reset': () => ({ status: 0, resets: true }),
  'no answer': () => ({ status: 200, hangs: true }),
  'no checksums': () => refuse(501, 'NotImplemented', '<Header>x-amz-checksum-crc32</Header>'),
};

describe('no secret is said after', () => {
  it.each(Object.keys(answers))('%s', async (name) => {
    const { endpoint } = await startScriptedS3((call) => answers[name]?.(call));
    await expectSilence(stage(), { ...usual, AWS_ENDPOINT_URL_S3: endpoint });
  });

  it.each([
    ['that is no URL', `http//user:${secrets.password}@host`],
    ['with another scheme', `ftp://user:${secrets.password}@host`],
    ['where nobody listens', `http://user:${secrets.password}@127.0.0.1:1`],
    ['whose name is unknown', `http://user:${secrets.password}@no-such-host.invalid`],
  ])('an endpoint with a password %s', async (_name, endpoint) => {
    await expectSilence(stage(), { ...usual, AWS_ENDPOINT_URL_S3: endpoint });
  });

  it.each([
    ['a store with a signed query', `s3://bucket/p?X-Amz-Signature=${secrets.query}`],
    ['a store with a password', `https://user:${secrets.password}@host/p`],
    ['a store with a slash too few', `s3:/user:${secrets.password}@host/p`],
  ])('%s', async (_name, to) => {
    await expectSilence(stage(to), usual);
  });

  it('a process for credentials that fails', async () => {
    const config = join(project, 'config');
    await writeFile(config, `[profile lab]\ncredential_process = false --token ${secrets.argument}\n`);
    const { AWS_REGION, AWS_EC2_METADATA_DISABLED } = usual;
    const env = { AWS_REGION, AWS_EC2_METADATA_DISABLED, AWS_PROFILE: 'lab', AWS_CONFIG_FILE: config };
    await expectSilence(stage(), { ...env, AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' });
  });

  it('a web identity that STS refuses', async () => {
    const { endpoint } = await startScriptedS3(() => ({
      status: 400,
      headers: { 'content-type': 'text/xml' },
      body: '<ErrorResponse><Error><Code>InvalidIdentityToken</Code><Message>no</Message></Error></ErrorResponse>',
    }));
    await writeFile(join(project, 'token'), secrets.webToken);
    await expectSilence(stage(), {
      AWS_REGION: 'us-east-1',
      AWS_MAX_ATTEMPTS: '1',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_ENDPOINT_URL_STS: endpoint,
      AWS_ROLE_ARN: 'arn:aws:iam::210987654321:role/r',
      AWS_WEB_IDENTITY_TOKEN_FILE: join(project, 'token'),
    });
  });

  it('a dry run that STS refuses', async () => {
    const { endpoint } = await startScriptedS3(({ url, body, headers }) => {
      if (body.includes('GetCallerIdentity')) {
        return {
          status: 403,
          headers: { 'content-type': 'text/xml' },
          body: `<ErrorResponse><Error><Code>AccessDenied</Code><Message>${headers['x-amz-security-token']}</Message></Error></ErrorResponse>`,
        };
      }
      return url.includes('list-type')
        ? { status: 200, body: '<ListBucketResult></ListBucketResult>' }
        : refuse(404, 'NoSuchKey');
    });
    const env = { ...usual, AWS_ENDPOINT_URL_S3: endpoint, AWS_ENDPOINT_URL_STS: endpoint };
    const { exitCode, stdout, stderr } = await runCli([...stage(), '--dry-run'], project, env);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('not known: STS: AccessDenied');
    for (const secret of [...Object.values(secrets), keyId]) expect(stdout + stderr).not.toContain(secret);
  });
});
