import { expect, test } from 'vitest';
import {
  renderPromoteText,
  renderPruneText,
  renderReleasesText,
} from '../../src/report/text/release-texts.js';
import { list, promote, prune } from './release-examples.js';

const plain = { colour: false };

test.each([
  ['releases list', renderReleasesText(list, plain)],
  ['releases promote', renderPromoteText(promote, plain)],
  ['releases prune', renderPruneText(prune, plain)],
])('the text of %s reads like this', (_command, text) => {
  expect(text).toMatchSnapshot();
  expect(text).not.toMatch(/undefined|\[object/);
});

test('says when there is nothing, and when nothing moved', () => {
  expect(renderReleasesText({ ...list, models: [] }, plain)).toBe(
    'No releases in s3://models/all; current.json is looked for at s3://models/all/NAME/current.json',
  );
  const still = renderPromoteText({ ...promote, previousRelease: promote.release, moved: false }, plain);
  expect(still).toContain(`rec was at release ${promote.release} already: nothing was moved`);
  expect(still).not.toMatch(/^ *was /m);
  const none = { releases: 0, artifacts: 0, objects: 0, sizeBytes: 0, uploads: 0 };
  const done = { ...prune, isDryRun: false, models: [], abandoned: [], ...none };
  expect(renderPruneText(done, plain)).toContain('Removed: nothing.');
  const all = { releases: 6, artifacts: 2, objects: 5, sizeBytes: 215_272_653, uploads: 1 };
  const sum = '6 releases, 2 artifacts (5 files, 205.3 MiB), 1 interrupted upload.';
  expect(renderPruneText({ ...prune, ...all, isDryRun: false }, plain)).toContain(`Removed: ${sum}`);
  expect(renderPruneText({ ...prune, ...all }, plain)).toContain(
    `Nothing was removed; --apply removes ${sum}`,
  );
});
