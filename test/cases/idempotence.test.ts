import { readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { convertModel } from '../../src/convert/convert-model.js';
import { findNameFaults } from '../../src/onnx/name-faults.js';
import { readModel } from '../../src/onnx/read-model.js';
import { findTypeFaults } from '../../src/onnx/type-faults.js';
import { completeOptions } from '../fixtures/convert-options.js';
import { listCaseModels, listInstalledModels } from '../fixtures/model-cases.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
const precisions = ['fp16', 'fp16-weights'] as const;

/** What is wrong with a model converted once, or changes when that is done again; nothing for one that is as it should be. */
async function findUnrest(path: string, precision: (typeof precisions)[number]): Promise<string[]> {
  const folder = await tempFolder();
  const [once, twice] = [join(folder, 'once', 'm.onnx'), join(folder, 'twice', 'm.onnx')];
  await convertModel(completeOptions({ model: path, precision, out: once }));
  const { model } = await readModel(once);
  const before = (await readModel(path)).model;
  const { result, same } = await convertAgain(once, twice, precision);
  await rm(folder, { recursive: true });
  return [
    ...(findTypeFaults(model).length > findTypeFaults(before).length ? ['its types do not fit'] : []),
    ...(findNameFaults(model).unresolved.length > findNameFaults(before).unresolved.length
      ? ['it reads no value']
      : []),
    ...(same ? [] : [`it changed: ${result.castsAdded} Casts, ${result.weights.storedAsFp16} weights`]),
  ];
}

async function convertAgain(once: string, twice: string, precision: (typeof precisions)[number]) {
  const result = await convertModel(completeOptions({ model: once, precision, out: twice }));
  return { result, same: (await readFile(twice)).equals(await readFile(once)) };
}

describe.each(precisions)('a conversion to %s, done twice', (precision) => {
  it('changes nothing the second time in models that other people exported', async () => {
    for (const path of listInstalledModels())
      expect([path, await findUnrest(path, precision)]).toEqual([path, []]);
  });
});

describe('the known cases, converted twice', () => {
  let cases: ReturnType<typeof listCaseModels> = { models: [], unpacked: undefined };
  beforeAll(() => {
    cases = listCaseModels();
  });
  afterAll(async () => {
    if (cases.unpacked !== undefined) await rm(cases.unpacked, { recursive: true });
  });

  for (const precision of precisions) {
    it(`change nothing the second time: ${precision}`, async (context) => {
      if (cases.unpacked === undefined) return context.skip('OPTIMISE_MODEL_CASES names no folder of cases');
      expect(cases.models.length).toBeGreaterThan(900);
      const faults: Record<string, string[]> = {};
      for (const path of cases.models) {
        const unrest = await findUnrest(path, precision).catch((error: Error) => [error.message]);
        if (unrest.length > 0) faults[basename(dirname(path))] = unrest;
      }
      expect(faults).toEqual({});
    }, 600_000);
  }
});
