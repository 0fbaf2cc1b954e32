import { relativeErrorOf } from '../../half/half-stats.js';
import type { Fp32Rule, KeptReason } from '../convert-options.js';
import { takesCasts } from '../default-domain.js';
import { losesConstants } from '../plan/constant-marks.js';
import { isKept, type KeptNames } from '../plan/keep-rules.js';
import { positionsIn, quantisedInputs } from '../plan/operator-traits.js';
import type { Value, ValueGraph, ValueNode } from '../plan/value-graph.js';
import type { Weight } from '../plan/weight.js';
import type { Demand } from './demand.js';

/** What decides whether a weight is stored as FP16. */
export type StorageRules = {
  readonly rules: ReadonlySet<Fp32Rule>;
  readonly keepFp32: KeptNames;
  /** Smallest weight that gets a Cast, FP32 bytes. */
  readonly minWeightBytes: number;
  /** Largest ‖rounded − exact‖ / ‖exact‖. */
  readonly maxWeightError: number;
  /** Why a smaller weight stays. */
  readonly smallReason: KeptReason;
  /** Whether nodes become FP16 unless what they read keeps them from it, as a small constant does. */
  readonly isHalfGraph: boolean;
  /** Names that training graphs read, whose tensors training changes. */
  readonly trained: ReadonlySet<string>;
};

/** Says why a weight cannot be stored as FP16 where it is read in certain forms; undefined when it can. */
export type ReasonToKeep = (weight: Weight, demand: Demand) => KeptReason | undefined;

/**
 * Prepares the question whether a weight can be stored as FP16.
 *
 * What only FP16 nodes read needs no Cast and is FP16 at any size. What FP32 nodes read is FP16 with a Cast when that
 * pays and loses nothing that matters.
 *
 * @param graph - The model; exact values are marked.
 * @param storage - The rules.
 * @returns The question.
 */
export function askStorage(graph: ValueGraph, storage: StorageRules): ReasonToKeep {
  const readers = new Set<Value>();
  const scales = new Set<Value>();
  for (const { nodes } of graph.scopes) {
    for (const node of nodes) noteReaders(node, storage, readers, scales);
  }
  return (weight, demand) => {
    const hard = hardReason(weight, storage, demand);
    if (hard !== undefined) return hard;
    const { value } = weight;
    const { producer } = value;
    const isWanted =
      producer === undefined ? isKeptTensor(value, storage) : isKept(producer, storage.keepFp32);
    if (isWanted || (demand.float && readers.has(value))) return 'kept by the user';
    if (!demand.float) return undefined;
    if (scales.has(value) && storage.rules.has('quantisation')) return 'quantisation scale';
    return softReason(weight, storage);
  };
}

function isKeptTensor({ name }: Value, { keepFp32 }: StorageRules): boolean {
  return keepFp32.output.has(name);
}

/** Collects what nodes that the user wants in FP32 read, and what are scales of quantised numbers. */
function noteReaders(node: ValueNode, storage: StorageRules, kept: Set<Value>, scales: Set<Value>): void {
  const isWanted = isKept(node, storage.keepFp32);
  const scaled = positionsIn(quantisedInputs, node.node);
  for (const [index, input] of node.inputs.entries()) {
    if (input === undefined) continue;
    if (isWanted) kept.add(input);
    if (scaled.includes(index)) scales.add(input);
  }
}

/** What forbids FP16 however the weight is read. */
function hardReason({ value, stats }: Weight, storage: StorageRules, demand: Demand): KeptReason | undefined {
  if (demand.declared === 'float') {
    if (storage.trained.has(value.name)) return 'read by the training graph';
    return value.origin === 'input' ? 'graph input' : 'graph output';
  }
  return (stats?.overflowCount ?? 0) > 0 ? 'beyond FP16' : undefined;
}

/** What forbids storing FP16 for a reader of FP32. */
function softReason(weight: Weight, storage: StorageRules): KeptReason | undefined {
  const { value, stats, sizeBytes } = weight;
  if (!takesCasts(value.scope.scope)) return 'opset below 6';
  if (value.isExact) return 'needs all its digits';
  if (weight.countsBeyond && storage.rules.has('integer-values')) return 'needs all its digits';
  if (sizeBytes < storage.minWeightBytes) return storage.smallReason;
  if (losesConstants(weight) && storage.rules.has('small-numbers')) return 'would become 0 in FP16';
  // Stored as FP16 it would be taken for any other number the next time.
  if (storage.isHalfGraph && value.mark === 'tiny') return 'would lose its digits in FP16';
  return stats !== undefined && relativeErrorOf(stats) > storage.maxWeightError
    ? 'relative error above the limit'
    : undefined;
}
