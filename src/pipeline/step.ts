import type { JsonValue } from '../lib/json.js';
import type { WorkContext } from '../lib/work-context.js';
import type { Finding } from '../messages/finding.js';

/** How people see the outcome at a glance: the work is done in every case. */
export type StepVerdict = 'ok' | 'partly' | 'no';

/** What a step brought about. `output` is plain JSON data: it is recorded and handed to later steps. */
export type StepOutcome<Output> = {
  readonly output: Output;
  /** One line for people: what came out, with figures. */
  readonly line: string;
  readonly findings: readonly Finding[];
  /** `no` when what was done came out against what it looked at, `partly` when for some of it or unjudged. */
  readonly verdict: StepVerdict;
};

/** One step of a run: what it depends on, what proves it is still done, how it is done. */
export type Step<Output> = {
  /** The verb, such as `convert`. */
  readonly verb: string;
  /** What it works on, such as `fp16-weights.external`; empty when there is only one. */
  readonly subject: string;
  /** Options and digests of all inputs: an equal key means equal work. */
  readonly key: JsonValue;
  /**
   * Whether what a recorded output names is still there and intact. An outcome says yes too, and takes the place of the
   * recorded one: for what is to be said of it now, or follows from options that are not part of the key. Looking may
   * take long, as hashing does, so it stops on the context's signal, by throwing its reason.
   */
  readonly ensures: (output: Output, context: WorkContext) => Promise<boolean | StepOutcome<Output>>;
  readonly call: (context: WorkContext) => Promise<StepOutcome<Output>>;
};
