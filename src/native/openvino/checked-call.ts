import type { Koffi } from '../open-koffi.js';
import type { Free, OpenvinoFunctions } from './c-api.js';
import type { CFunction, Handle, Out } from './c-types.js';
import type { Owner } from './owner.js';

/** `ov_status_e`, from 0 downwards. */
const statusNames = [
  'OK',
  'GENERAL_ERROR',
  'NOT_IMPLEMENTED',
  'NETWORK_NOT_LOADED',
  'PARAMETER_MISMATCH',
  'NOT_FOUND',
  'OUT_OF_BOUNDS',
  'UNEXPECTED',
  'REQUEST_BUSY',
  'RESULT_NOT_READY',
  'NOT_ALLOCATED',
  'INFER_NOT_STARTED',
  'NETWORK_NOT_READ',
  'INFER_CANCELLED',
  'INVALID_C_PARAM',
  'UNKNOWN_C_ERROR',
  'NOT_IMPLEMENT_C_METHOD',
  'UNKNOW_EXCEPTION',
];

/** What every call needs. */
export type OpenvinoCalls = { readonly koffi: Koffi; readonly functions: OpenvinoFunctions };

/**
 * Throws unless a call went well.
 *
 * @param calls - OpenVINO.
 * @param status - What the call returned.
 * @throws An error with OpenVINO's last message and the name of the status.
 */
export function check(calls: OpenvinoCalls, status: number): void {
  if (status === 0) return;
  const name = statusNames[-status] ?? `status ${status}`;
  throw new Error(`${findMessage(calls, status)} (${name})`);
}

/** Far below koffi's limit, beyond which it refuses, and far above the threads that Node has for them. */
const mostAside = 64;
const waiting: (() => void)[] = [];
let asideCount = 0;

/**
 * Runs a function on another thread, so that this one stays free.
 *
 * @param calls - OpenVINO.
 * @param called - The function.
 * @param args - Its arguments; memory among them must be kept until this is done.
 * @throws As {@link check}.
 */
export async function callAside<Args extends readonly unknown[]>(
  calls: OpenvinoCalls,
  called: CFunction<Args, number>,
  ...args: Args
): Promise<void> {
  while (asideCount >= mostAside) await new Promise<void>((resolve) => waiting.push(resolve));
  asideCount++;
  try {
    await startAside(calls, called, args);
  } finally {
    asideCount--;
    waiting.shift()?.();
  }
}

function startAside<Args extends readonly unknown[]>(
  calls: OpenvinoCalls,
  called: CFunction<Args, number>,
  args: Args,
): Promise<void> {
  return new Promise((resolve, reject) => {
    called.async(...args, (error, status) => {
      try {
        if (error) throw error;
        // At once: the message is that of the last call that failed, whichever session's that was.
        check(calls, status);
        resolve();
      } catch (failure) {
        reject(failure);
      }
    });
  });
}

/**
 * Makes an object of OpenVINO's and hands it to its owner.
 *
 * @param calls - OpenVINO.
 * @param owner - Who frees it.
 * @param free - How.
 * @param create - Makes it.
 * @returns The object.
 * @throws As {@link check}.
 */
export function create(
  calls: OpenvinoCalls,
  owner: Owner,
  free: Free,
  create: (out: Out<Handle>) => number,
): Handle {
  const out: Out<Handle> = [null];
  check(calls, create(out));
  return owner.own(takeOut(out), free);
}

/**
 * Reads what a call gave.
 *
 * @param out - Where it was to be put.
 * @returns It.
 * @throws An error when there is nothing.
 */
export function takeOut<Value>(out: Out<Value>): Value {
  const [value] = out;
  if (value === null) throw new Error('OpenVINO said that it went well, and gave nothing');
  return value;
}

/**
 * Reads a text that OpenVINO made, and frees it.
 *
 * @param calls - OpenVINO.
 * @param read - The call that gives it.
 * @returns The text.
 * @throws As {@link check}.
 */
export function readText(calls: OpenvinoCalls, read: (out: Out<Handle>) => number): string {
  const out: Out<Handle> = [null];
  check(calls, read(out));
  return takeText(calls, takeOut(out));
}

function takeText({ koffi, functions }: OpenvinoCalls, address: Handle): string {
  try {
    return koffi.decode.string(address);
  } finally {
    functions.free(address);
  }
}

/** `INVALID_C_PARAM`: what it leaves is the message of some earlier call. */
export const invalidParameter = -14;

function findMessage(calls: OpenvinoCalls, status: number): string {
  const address = status === invalidParameter ? null : calls.functions.getLastErrorMessage();
  const lines = address === null ? [] : takeText(calls, address).split('\n');
  const told = lines.map(stripPlace).filter((line) => line !== '');
  return told.join('\n') || `${calls.functions.getErrorInfo(status)}`;
}

/** Where in OpenVINO's own sources something was thrown says nothing to its users. */
function stripPlace(line: string): string {
  return line
    .trim()
    .replace(/^Exception from \S+:\d+:/, '')
    .replace(/^Check '.*' failed at \S+:\d+:/, '')
    .trim();
}
