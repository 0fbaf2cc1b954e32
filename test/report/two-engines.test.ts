import { describe, expect, it } from 'vitest';
import { renderRunHtml } from '../../src/report/html/run-html.js';
import { renderRunMarkdown } from '../../src/report/markdown/run-markdown.js';
import type { RunView } from '../../src/report/run-view.js';
import { describeEngines, tabulateParity } from '../../src/report/tables/parity-table.js';
import { tabulateLeftOut } from '../../src/report/tables/run-tables.js';
import { renderParityText } from '../../src/report/text/parity-text.js';
import { renderRunText } from '../../src/report/text/run-text.js';
import { makeSampleView } from './sample-view.js';

type Parity = RunView['parity'][number];

const onnxruntime = { engine: 'onnxruntime', version: '1.30.0', inference: 'f32' } as const;
const openvino = { engine: 'openvino', version: '2026.4.1', inference: 'bf16' } as const;
const why = { code: 'ovc-missing', reason: 'There is no ovc.', remedy: 'Run `pip`.' };
const leftOut = ['fp32.openvino.ir', 'fp32.openvino.blob'].map((variantId) => ({ variantId, ...why }));

async function makeView(): Promise<RunView> {
  const view = await makeSampleView();
  const parity = view.parity.map((result, index) =>
    index === 0 ? { ...result, engines: { reference: onnxruntime, candidate: openvino } } : result,
  );
  return { ...view, parity, leftOut };
}

const renderers: readonly [string, (view: RunView) => string | Promise<string>][] = [
  ['terminal', (view) => renderRunText(view, { colour: false })],
  ['Markdown', renderRunMarkdown],
  ['page', renderRunHtml],
];

describe.each(renderers)('the %s of a run', (_name, render) => {
  it('says what each candidate was computed by, where that is not the same for all', async () => {
    const text = await render(await makeView());
    expect(text).toContain('openvino bf16');
    expect(text).toContain('Computed by onnxruntime 1.30.0 and openvino 2026.4.1.');
    const plain = await render({ ...(await makeView()), parity: (await makeSampleView()).parity });
    expect(plain).not.toContain('Computed by');
  });

  it('lists what was left out with its reason, which it says once', async () => {
    const text = await render(await makeView());
    expect(text).toContain('Left out');
    expect(text).toContain('fp32.openvino.blob');
    expect(text.split('There is no ovc.')).toHaveLength(2);
    expect(await render({ ...(await makeView()), leftOut: [] })).not.toContain('Left out');
  });
});

it('has no table of what was left out when nothing was', () => {
  expect(tabulateLeftOut([])).toEqual([]);
  expect(tabulateLeftOut(leftOut)[0]?.rows.map(([variant, reason]) => [variant?.text, reason?.text])).toEqual(
    [
      ['fp32.openvino.ir', 'There is no ovc.'],
      ['fp32.openvino.blob', 'for the same reason'],
    ],
  );
});

it('names one engine where both sides are of one, both where not, and no version of what did not run', () => {
  const refused = { engine: 'openvino', version: null, inference: null } as const;
  const name = (candidate: Parity['engines']['candidate']) =>
    describeEngines({ reference: onnxruntime, candidate });
  expect(name(onnxruntime)).toBe('onnxruntime 1.30.0 f32');
  expect(name(openvino)).toBe('onnxruntime 1.30.0 f32, the candidate by openvino 2026.4.1 bf16');
  expect(name(refused)).toBe('onnxruntime 1.30.0 f32, the candidate by openvino');
  expect(name({ ...refused, engine: 'onnxruntime' })).toBe('onnxruntime 1.30.0 f32');
});

it('says of one comparison what computed it above its table and not in it', async () => {
  const [result] = (await makeView()).parity;
  if (result === undefined) throw new Error('the sample has parity');
  const text = renderParityText(result, { colour: false });
  expect(text).toMatch(/computed by +onnxruntime 1.30.0 f32, the candidate by openvino 2026.4.1 bf16/);
  expect(text).not.toContain('Engine');
  expect(tabulateParity([result]).columns.map(({ title }) => title)).toContain('Engine');
});
