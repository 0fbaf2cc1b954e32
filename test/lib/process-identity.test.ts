import { describe, expect, it } from 'vitest';
import { findProcess, identifyProcess } from '../../src/lib/process-identity.js';

describe('the identity of a process', () => {
  const own = identifyProcess();

  it('is found as long as the process lives', () => {
    expect(own.pid).toBe(process.pid);
    expect(findProcess(own)).toBe('alive');
  });

  it('is not that of a process that is gone, or of a later one with the same id', () => {
    expect(findProcess({ ...own, pid: 4_194_303 })).toBe('dead');
    expect(findProcess({ ...own, started: '1' })).toBe('dead');
  });

  it('cannot be told in another container', () => {
    expect(findProcess({ ...own, world: 'another' })).toBe('unknown');
  });
});
