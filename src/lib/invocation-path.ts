/**
 * How requests reach the model: through `api-gateway`, which does not wait as long as a function may take; another way
 * to a function; or on a `plain-machine`, where no platform says how long a start may take.
 */
export const invocationPaths = ['api-gateway', 'other', 'plain-machine'] as const;
/** One of {@link invocationPaths}. */
export type InvocationPath = (typeof invocationPaths)[number];
