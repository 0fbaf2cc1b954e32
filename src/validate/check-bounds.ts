import { OptimiseModelError } from '../messages/error.js';
import type { ParityBounds } from './parity-result.js';

/**
 * Refuses bounds that no verdict could be drawn from.
 *
 * @param bounds - As asked for.
 * @throws `parity-bounds-wrong` listing everything that is wrong.
 */
export function refuseWrongBounds(bounds: ParityBounds): void {
  const problems: string[] = [];
  for (const name of ['rtol', 'atol', 'maxAbs'] as const) {
    const value = bounds[name];
    if (value !== undefined && !(Number.isFinite(value) && value >= 0))
      problems.push(`${name} is ${value}, a finite number from 0 on is needed`);
  }
  const { cosine } = bounds;
  if (cosine !== undefined && !(cosine >= -1 && cosine <= 1))
    problems.push(`cosine is ${cosine}, −1 to 1 is needed`);
  if (problems.length > 0) throw OptimiseModelError.of('parity-bounds-wrong', { problems });
}
