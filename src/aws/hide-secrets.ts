import type { S3Client } from '@aws-sdk/client-s3';

const mask = '(secret)';
/** Shorter ones would make a message unreadable, and are none in use. */
const leastLength = 8;

/**
 * Keeps credentials out of what a client throws: a server, or what stands in front of it, may repeat what it was sent.
 *
 * @param client - The client.
 */
export function hideSecrets(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        // Asked once more, a chain that found none would go through all of its places again.
        const isWithout = error instanceof Error && error.name === 'CredentialsProviderError';
        const secrets = isWithout ? [] : await listSecrets(client);
        for (let each = error, depth = 0; each instanceof Error && depth < 8; each = each.cause, depth += 1) {
          hideIn(each, secrets);
        }
        throw error;
      }
    },
    { step: 'initialize', priority: 'high', name: 'hideSecrets' },
  );
}

async function listSecrets(client: S3Client): Promise<readonly string[]> {
  const credentials = await client.config.credentials().catch(() => undefined);
  const { accessKeyId = '', secretAccessKey = '', sessionToken = '' } = credentials ?? {};
  return [sessionToken, secretAccessKey, accessKeyId]
    .filter((secret) => secret.length >= leastLength)
    .flatMap((secret) => [secret, encodeURIComponent(secret)]);
}

function hideIn(error: Error, secrets: readonly string[]): void {
  const hide = (text: string): string =>
    secrets.reduce((said, secret) => said.replaceAll(secret, mask), text);
  const { name, message, stack = '' } = error;
  if (hide(name + message) === name + message) return;
  Object.assign(error, { name: hide(name), message: hide(message), stack: hide(stack) });
}
