import { expect, it } from 'vitest';
import { nearestWord } from '../../src/lib/nearest-word.js';

it('finds what a mistyped word was meant to be', () => {
  expect(nearestWord('imgae', ['mask', 'image'])).toBe('image');
  expect(nearestWord('deliverys', ['runs', 'deliveries'])).toBe('deliveries');
});

it('suggests nothing that is further away than two edits and a third of the word', () => {
  expect(nearestWord('other', ['image', 'sr'])).toBeNull();
  expect(nearestWord('threads', ['deliveries', 'runs'])).toBeNull();
});

it('suggests nothing where nothing is known', () => {
  expect(nearestWord('image', [])).toBeNull();
});
