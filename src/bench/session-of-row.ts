import type { SessionOptions } from '../lib/session-options.js';
import type { PlannedRow } from './plan-rows.js';

/**
 * Says how the sessions of a row are opened.
 *
 * @param row - The row.
 * @returns The options of the expanded form for `stream`, else those of the artifact as it is.
 */
export function sessionOf({
  target: { sessions },
  delivery,
}: Pick<PlannedRow, 'target' | 'delivery'>): SessionOptions {
  return delivery === 'stream' ? sessions.stream : sessions.own;
}
