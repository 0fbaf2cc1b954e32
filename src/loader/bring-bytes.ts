import type { Delivery } from '../lib/delivery.js';
import type { BringBytes } from './brought-model.js';
import { copyToEphemeral } from './copy-to-ephemeral.js';
import { findInLayer } from './find-in-layer.js';
import { findOnMount } from './find-on-mount.js';
import { readToMemory } from './read-to-memory.js';
import { streamToMapped } from './stream/stream-to-mapped.js';

/** How each delivery brings the bytes; a further delivery is one more entry. */
export const bringBytes: Readonly<Record<Delivery, BringBytes>> = {
  's3-copy': copyToEphemeral,
  layer: findInLayer,
  lazy: readToMemory,
  stream: streamToMapped,
  url: copyToEphemeral,
  mount: findOnMount,
};
