import { expect, it } from 'vitest';
import { listShipment } from '../../src/report/tables/shipment-table.js';
import { sampleShipment } from './sample-shipment.js';

it('says where layers lie in the function, of the model and of OpenVINO', () => {
  const layersOf = (over: Partial<typeof sampleShipment>) =>
    listShipment({ ...sampleShipment, ...over }).filter(([name]) => name.endsWith('layer'));
  expect(layersOf({})).toEqual([]);
  expect(layersOf({ delivery: 'layer' })).toMatchObject([
    ['model layer', expect.stringContaining('layerDir')],
  ]);
  expect(layersOf({ engine: 'openvino' })).toMatchObject([
    ['engine layer', expect.stringContaining('/opt/openvino/libs')],
  ]);
});
