/**
 * How the bytes of an artifact reach the process: `s3-copy` store → ephemeral storage → session; `layer` already on
 * local disk; `lazy` nothing at init, store → memory → session at the first request.
 */
export const deliveries = ['s3-copy', 'layer', 'lazy'] as const;
/** One of {@link deliveries}. */
export type Delivery = (typeof deliveries)[number];
