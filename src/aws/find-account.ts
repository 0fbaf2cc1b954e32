import type { S3Connection } from './s3-connection.js';
import { shareSockets } from './shared-sockets.js';

/** The account that requests are made for, or why it is not known. */
export type FoundAccount = { readonly id: string } | { readonly unknownBecause: string };

/**
 * Finds out for which AWS account requests are made: what the credentials say, else what STS says.
 *
 * @param connection - Its credentials and region are used.
 * @param env - Environment variables; AWS_ENDPOINT_URL_STS lets STS be asked for an endpoint that is not AWS.
 * @param signal - Stops the request.
 * @returns The account; nothing that goes wrong here is thrown, since nothing depends on it.
 * @see https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
 */
export async function findAccount(
  connection: S3Connection,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<FoundAccount> {
  const { client, isAmazon } = connection;
  try {
    const credentials = await client.config.credentials();
    if (credentials.accountId !== undefined) return { id: credentials.accountId };
    if (!isAmazon && !env.AWS_ENDPOINT_URL_STS) return { unknownBecause: 'the endpoint is not AWS' };
    const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
    const region = await client.config.region();
    const sts = new STSClient({ region, credentials, requestHandler: shareSockets(env) });
    const answer = await sts.send(new GetCallerIdentityCommand({}), { abortSignal: signal });
    return answer.Account === undefined ? { unknownBecause: 'STS does not say' } : { id: answer.Account };
  } catch (error) {
    signal.throwIfAborted();
    // What STS says about a refusal may hold the session's name.
    return { unknownBecause: error instanceof Error ? `STS: ${error.name}` : 'STS failed' };
  }
}
