import { expect, test, vi } from 'vitest';
import { renderRunHtml } from '../../src/report/html/run-html.js';
import { makeSampleView } from './sample-view.js';

const loaded = vi.hoisted(() => ({ plot: false }));
vi.mock('@observablehq/plot', async (importOriginal) => {
  loaded.plot = true;
  return importOriginal();
});

test('what draws charts is loaded with the first chart and not before', async () => {
  const view = await makeSampleView();
  await renderRunHtml({ ...view, bench: null });
  expect(loaded.plot).toBe(false);
  await renderRunHtml(view);
  expect(loaded.plot).toBe(true);
});
