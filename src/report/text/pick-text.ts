import type { PickReport } from '../documents/pick-result.js';
import { tabulatePick } from '../tables/pick-table.js';
import { listShipment } from '../tables/shipment-table.js';
import { drawFacts } from './draw-facts.js';
import { drawTextTable, type TextSettings } from './draw-table.js';

/**
 * Says what to ship, why the others lost and what is deployed, for a terminal. Addresses stay whole, so that they can be
 * copied.
 *
 * @param result - The choice.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline.
 */
export function renderPickText(result: PickReport, settings: TextSettings): string {
  const { shipment } = result;
  const deployed = shipment === null ? [] : [drawFacts('To deploy', listShipment(shipment), settings)];
  return [drawTextTable(tabulatePick(result), settings), ...deployed].join('\n\n');
}
