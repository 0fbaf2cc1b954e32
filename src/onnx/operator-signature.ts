import { operatorSlots } from './operator-slots.js';

/** The type of one slot of an operator. */
export type Slot = {
  readonly kind: 'variable' | 'fixed' | 'not-a-tensor';
  /** The variable's letter, or ONNX's name of the fixed type. */
  readonly name: string;
  /** Whether FLOAT16 may stand where FLOAT may. */
  readonly allowsHalf: boolean;
  /** `same`: takes any number of values of one type; `each`: of a type each. */
  readonly repeats: 'no' | 'same' | 'each';
};

/** The slots of an operator at one opset. */
export type Signature = { readonly inputs: readonly Slot[]; readonly outputs: readonly Slot[] };

const parsed = new Map<string, Signature>();
/** What was asked before: most models ask for a few dozen operators, many thousand times. */
const asked = new Map<string, Signature | undefined>();

/**
 * Looks up the slots of an operator.
 *
 * @param domain - Its domain; `''` is ONNX's own.
 * @param opType - Its name.
 * @param opset - The version of the domain that the model imports.
 * @returns The slots, or undefined for an operator that we do not know at that version.
 */
export function findSignature(domain: string, opType: string, opset: number): Signature | undefined {
  const versions = Object.hasOwn(operatorSlots, domain) ? operatorSlots[domain] : undefined;
  const line = versions !== undefined && Object.hasOwn(versions, opType) ? versions[opType] : undefined;
  if (line === undefined) return undefined;
  const key = `${opset} ${opType} ${domain}`;
  if (asked.has(key)) return asked.get(key);
  const text = line
    .split('; ')
    .map((version) => version.split(' ') as [since: string, signature: string])
    .findLast(([since]) => Number(since) <= opset)?.[1];
  const signature = text === undefined ? undefined : (parsed.get(text) ?? parseSignature(text));
  if (text !== undefined && signature !== undefined) parsed.set(text, signature);
  asked.set(key, signature);
  return signature;
}

function parseSignature(text: string): Signature {
  const [inputs = '', outputs = ''] = text.split('>');
  return { inputs: parseSlots(inputs), outputs: parseSlots(outputs) };
}

function parseSlots(text: string): Slot[] {
  return text.split(',').filter(Boolean).map(parseSlot);
}

function parseSlot(text: string): Slot {
  const name = text.replace(/[!*~]/g, '');
  const kind = name === '?' ? 'not-a-tensor' : /^[A-Z]$/.test(name) ? 'variable' : 'fixed';
  const repeats = text.endsWith('*') ? 'same' : text.endsWith('~') ? 'each' : 'no';
  return { kind, name, allowsHalf: kind === 'variable' && !text.includes('!'), repeats };
}

/**
 * Finds the slot of one of a node's inputs or outputs; the last slot takes all that follow if it repeats.
 *
 * @param slots - The slots of one side.
 * @param index - Which input or output, from 0.
 * @returns The slot, or undefined when the operator has no such one.
 */
export function slotAt(slots: readonly Slot[], index: number): Slot | undefined {
  const last = slots.at(-1);
  return slots[index] ?? (last?.repeats === 'no' ? undefined : last);
}
