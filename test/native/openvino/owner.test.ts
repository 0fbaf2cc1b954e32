import { describe, expect, it } from 'vitest';
import { countLiveHandles, makeOwner } from '../../../src/native/openvino/owner.js';

describe('an owner', () => {
  it('frees in reverse order, once', () => {
    const owner = makeOwner();
    const freed: bigint[] = [];
    for (const handle of [1n, 2n, 3n]) owner.own(handle, (each) => void freed.push(each));
    owner.free();
    owner.free();
    expect(freed).toEqual([3n, 2n, 1n]);
    expect(owner.isDone()).toBe(true);
  });

  it('frees the others when one cannot be freed, and says so', () => {
    const owner = makeOwner();
    const before = countLiveHandles();
    const freed: bigint[] = [];
    const refuse = () => {
      throw new Error('not this one');
    };
    owner.own(1n, (handle) => void freed.push(handle));
    owner.own(2n, refuse);
    owner.own(3n, (handle) => void freed.push(handle));
    expect(() => owner.free()).toThrow('not this one');
    expect(freed).toEqual([3n, 1n]);
    expect(countLiveHandles()).toBe(before + 1);
    owner.free();
  });
});
