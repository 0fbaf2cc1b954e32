import { describe, expect, it } from 'vitest';
import type { Pipeline } from '../../src/api/run.js';
import { addBenchFlags, applyBenchFlags, type BenchFlags } from '../../src/cli/bench-flags.js';
import { commander } from '../../src/cli/commander.js';

const bench = { runs: 20, warm: 50, deliveries: ['layer'], cache: 'evict', link: 'hub' };
const pipeline = { name: 'vit', bench } as unknown as Pipeline;

function parse(...args: readonly string[]): BenchFlags {
  const command = addBenchFlags(new commander.Command('bench'))
    .exitOverride()
    .configureOutput({
      writeErr: () => undefined,
    });
  return command.parse(['node', 'bench', ...args]).opts();
}

function apply(...args: readonly string[]): Record<string, unknown> {
  return { ...applyBenchFlags(pipeline, parse(...args)).bench };
}

describe('flags of bench', () => {
  it('change nothing where none is given', () => {
    expect(applyBenchFlags(pipeline, parse())).toEqual(pipeline);
  });

  it('take several deliveries and memory settings instead of those of the pipeline', () => {
    const asked = apply(
      '--delivery',
      'stream,lazy',
      '--memory-mib',
      '2048',
      '--memory-mib',
      '4096',
      '--cache',
      'warm',
    );
    expect(asked).toEqual({
      ...bench,
      deliveries: ['stream', 'lazy'],
      memoryMiB: [2048, 4096],
      cache: 'warm',
    });
  });

  it('let a number of their own stand beside --quick', () => {
    expect(apply('--quick')).toMatchObject({ runs: 3, warm: 5 });
    expect(apply('--quick', '--runs', '7')).toMatchObject({ runs: 7, warm: 5 });
  });

  it('take as many samples with --quick as a comparison with a release needs', () => {
    expect(apply('--quick', '--baseline', 'current')).toMatchObject({ runs: 6, warm: 5 });
    const compared = {
      ...pipeline,
      bench: { ...pipeline.bench, baseline: { release: 'r', maxSlowdown: 0.1 } },
    };
    expect(applyBenchFlags(compared, parse('--quick')).bench).toMatchObject({ runs: 6, warm: 5 });
  });

  it('read a width and a slowdown as shares', () => {
    const asked = apply('--target-width', '5%', '--baseline', 'current', '--max-slowdown', '15%');
    expect(asked).toMatchObject({ targetWidth: 0.05, baseline: { release: 'current', maxSlowdown: 0.15 } });
    expect(apply('--baseline', 'r1')).toMatchObject({ baseline: { release: 'r1', maxSlowdown: 0.1 } });
  });

  it('refuse a slowdown where no release is named', () => {
    expect(() => apply('--max-slowdown', '5%')).toThrow(/--max-slowdown/);
  });

  it('refuse a delivery and a cache mode that do not exist', () => {
    expect(() => parse('--delivery', 'carrier-pigeon')).toThrow(/s3-copy, layer, lazy, stream, url, mount/);
    expect(() => parse('--cache', 'cold')).toThrow(/evict, drop, warm/);
    expect(() => parse('--link', 'foo')).toThrow(/lambda-s3, .*, hub, real/);
  });
});
