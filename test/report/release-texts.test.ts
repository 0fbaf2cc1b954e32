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
  expect(renderReleasesText({ ...list, models: [] }, plain)).toBe('No releases in s3://models/all');
  expect(renderPromoteText({ ...promote, moved: false }, plain)).toContain(', as before');
  const done = { ...prune, isDryRun: false, models: [], abandoned: [], objects: 0, sizeBytes: 0 };
  expect(renderPruneText(done, plain)).toContain('Removed 0 objects, 0 B.');
});
