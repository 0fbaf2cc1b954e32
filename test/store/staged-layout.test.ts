import { describe, expect, it } from 'vitest';
import { findStagedPlace, stagedKeys } from '../../src/store/staged-layout.js';

const digest = '0a'.repeat(32);

describe('the staged layout', () => {
  it('has one place for everything of a model', () => {
    const keys = stagedKeys('vit');
    expect(keys.current).toBe('vit/current.json');
    expect(keys.release('r')).toBe('vit/releases/r.json');
    expect(keys.object(digest, 'model.onnx')).toBe(`vit/objects/${digest}/model.onnx`);
    expect(keys.artifact(digest)).toBe(`vit/objects/${digest}/artifact.json`);
    expect(keys.artifact(digest).startsWith(keys.objectsPrefix)).toBe(true);
    expect(keys.release('r').startsWith(keys.releasesPrefix)).toBe(true);
    expect(stagedKeys('').current).toBe('current.json');
  });

  it('is recognised again', () => {
    const keys = stagedKeys('vit');
    expect(findStagedPlace(keys.current)?.place).toEqual({ kind: 'current', name: 'vit' });
    expect(findStagedPlace(`a/b/${keys.release('r')}`)).toEqual({
      place: { kind: 'release', name: 'vit', release: 'r' },
      storeLength: 4,
    });
    expect(findStagedPlace(keys.object(digest, 'a/b.bin'))?.place).toEqual({
      kind: 'object',
      name: 'vit',
      digest,
      path: 'a/b.bin',
    });
    expect(findStagedPlace('current.json')?.place).toEqual({ kind: 'current', name: '' });
    expect(findStagedPlace('models/artifact.json')).toBeUndefined();
    expect(findStagedPlace('vit/objects/short/artifact.json')).toBeUndefined();
    expect(findStagedPlace('vit/not-current.json')).toBeUndefined();
  });

  it.each(['a/b', '..', '.hidden', 'a b', 'ä', '-x'])('refuses the name %j', (name) => {
    expect(() => stagedKeys(name)).toThrow(expect.objectContaining({ code: 'name-wrong', exitCode: 2 }));
  });
});
