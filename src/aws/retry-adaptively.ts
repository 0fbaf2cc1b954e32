import type { LoadedConfigSelectors } from '@smithy/core/config';
import {
  AdaptiveRetryStrategy,
  DefaultRateLimiter,
  loadConfig,
  NODE_MAX_ATTEMPT_CONFIG_OPTIONS,
  NODE_RETRY_MODE_CONFIG_OPTIONS,
} from '#aws-sdk/read';

/**
 * S3 takes thousands of requests a second for one prefix. The SDK's floor of one in two seconds is meant for scarcer
 * services: after an early SlowDown it held 300 requests up for 5 s that the server would have taken at once.
 */
const leastRequestsPerSecond = 50;

/** What a client's configuration says about trying again. */
export type RetryConfig = {
  readonly retryMode: string;
  readonly maxAttempts: number;
  readonly retryStrategy?: AdaptiveRetryStrategy;
};

/**
 * Chooses how a client tries again: as AWS_RETRY_MODE and AWS_MAX_ATTEMPTS or the profile say; else adaptively, with
 * jitter, a budget for all its requests together, and fewer of them while the server asks for that; 3 attempts.
 *
 * @param env - Environment variables.
 * @returns Part of a client's configuration.
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance.html
 */
export async function chooseRetries(env: NodeJS.ProcessEnv): Promise<RetryConfig> {
  const modeOptions = { ...NODE_RETRY_MODE_CONFIG_OPTIONS, default: 'adaptive' };
  const retryMode = await loadConfig(readFrom(env, modeOptions))();
  const maxAttempts = await loadConfig(readFrom(env, NODE_MAX_ATTEMPT_CONFIG_OPTIONS))();
  if (retryMode !== 'adaptive') return { retryMode, maxAttempts };
  const rateLimiter = new DefaultRateLimiter({ minFillRate: leastRequestsPerSecond });
  return {
    retryMode,
    maxAttempts,
    retryStrategy: new AdaptiveRetryStrategy(maxAttempts, { rateLimiter }),
  };
}

/** The SDK would read the process's own variables. */
function readFrom<T>(env: NodeJS.ProcessEnv, options: LoadedConfigSelectors<T>): LoadedConfigSelectors<T> {
  return { ...options, environmentVariableSelector: () => options.environmentVariableSelector(env) };
}
