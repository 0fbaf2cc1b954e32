import type { S3Call } from './s3-call.js';

/** What goes wrong with one request on its way to the server and back. */
export type Fault =
  /** The connection breaks at once; the server never sees the request. */
  | { readonly kind: 'reset-before' }
  /** It breaks in the middle of the request's body, half of which the server gets. */
  | { readonly kind: 'reset-in-request' }
  /** The server does the work; the connection breaks before its answer. */
  | { readonly kind: 'lose-answer' }
  /** It breaks in the middle of the answer's body. */
  | { readonly kind: 'reset-in-answer' }
  /** An error instead of what the server would say; it never sees the request. */
  | { readonly kind: 'refuse'; readonly status: number; readonly code: string }
  /** Status 200 with an error document; the server never sees the request. */
  | { readonly kind: 'error-in-200'; readonly code: string }
  /** Nothing is ever answered. */
  | { readonly kind: 'hang' }
  /** Nothing more comes after half of the answer's body. */
  | { readonly kind: 'hang-in-answer' }
  /** Every checksum in the answer is another one. */
  | { readonly kind: 'wrong-checksum' }
  /** The ETag in the answer is that of no content, as with encrypted objects. */
  | { readonly kind: 'wrong-etag' }
  /** One bit of the request's body is flipped on the way; the server can tell. */
  | { readonly kind: 'damage-request' }
  /** One bit is flipped and everything that would show it made to fit: the server stores it without suspicion. */
  | { readonly kind: 'store-damaged' }
  /** One bit of the answer's body is flipped: right after `near`, or in the middle. */
  | { readonly kind: 'damage-answer'; readonly near?: string }
  /** The server's clock is ahead from now on: it refuses requests that are signed for another time. */
  | { readonly kind: 'clock-ahead'; readonly aheadMs: number };

/** When something goes wrong. */
export type FaultRule = {
  /** Name of the call; `part` means every part. */
  readonly call: string;
  /** What the key must look like; any when left out. */
  readonly key?: RegExp;
  /** How many of these calls come first and go well; none when left out. */
  readonly after?: number;
  /** How many calls it happens to after that; `Infinity` for all. */
  readonly times: number;
  readonly fault: Fault;
};

/** Decides what goes wrong with each request, in the order of their arrival. */
export class FaultScript {
  readonly #rules: readonly { readonly rule: FaultRule; seen: number }[];

  /** @param rules - The first one that fits a call decides. */
  constructor(rules: readonly FaultRule[]) {
    this.#rules = rules.map((rule) => ({ rule, seen: 0 }));
  }

  /**
   * Takes the next call.
   *
   * @param call - The call.
   * @returns What goes wrong with it; undefined when nothing does.
   */
  next(call: S3Call): Fault | undefined {
    for (const entry of this.#rules) {
      if (!fits(entry.rule, call)) continue;
      const { after = 0, times, fault } = entry.rule;
      entry.seen += 1;
      if (entry.seen > after && entry.seen <= after + times) return fault;
    }
    return undefined;
  }

  /** How many calls each rule fitted that it was to harm, in the order of the rules. */
  get hits(): readonly number[] {
    return this.#rules.map(({ rule, seen }) => Math.max(0, Math.min(seen - (rule.after ?? 0), rule.times)));
  }
}

function fits({ call, key }: FaultRule, seen: S3Call): boolean {
  const isNamed = seen.name === call || (call === 'part' && seen.name.startsWith('part '));
  return isNamed && (key === undefined || key.test(seen.key));
}
