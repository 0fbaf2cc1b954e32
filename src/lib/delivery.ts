/**
 * How the bytes of an artifact reach the process: `s3-copy` store → ephemeral storage → session; `layer` already on
 * local disk; `lazy` nothing at init, store → memory → session at the first request; `stream` store → expanded to the
 * memory-mappable FP32 layout while downloading (an `ir` or `blob`, which has no such form, as it is) → session; `url` any HTTP(S) source → ephemeral storage → session;
 * `mount` through a mounted file system, copied first or opened where it is.
 */
export const deliveries = ['s3-copy', 'layer', 'lazy', 'stream', 'url', 'mount'] as const;
/** One of {@link deliveries}. */
export type Delivery = (typeof deliveries)[number];

/** Those that need nothing but a store: looked at and measured when nobody names any. */
export const usualDeliveries = ['s3-copy', 'layer', 'lazy', 'stream'] as const satisfies readonly Delivery[];
