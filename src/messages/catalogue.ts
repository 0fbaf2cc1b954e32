import { benchMessages } from './bench-messages.js';
import { cacheMessages } from './cache-messages.js';
import { checkMessages } from './check-messages.js';
import { feedMessages } from './feed-messages.js';
import { importMessages } from './import-messages.js';
import { inputMessages } from './input-messages.js';
import { isolationMessages } from './isolation-messages.js';
import { linkMessages } from './link-messages.js';
import { loaderMessages } from './loader-messages.js';
import type { Message } from './message.js';
import { modelMessages } from './model-messages.js';
import { openvinoConvertMessages } from './openvino-convert-messages.js';
import { openvinoMessages } from './openvino-messages.js';
import { parityMessages } from './parity-messages.js';
import { pickMessages } from './pick-messages.js';
import { pickScopeMessages } from './pick-scope-messages.js';
import { pipelineMessages } from './pipeline-messages.js';
import { runtimeMessages } from './runtime-messages.js';
import { shipmentMessages } from './shipment-messages.js';
import { statisticsMessages } from './statistics-messages.js';
import { storeMessages } from './store-messages.js';
import { sweepMessages } from './sweep-messages.js';
import { usageMessages } from './usage-messages.js';
import { addMessages } from './words.js';

/** Every error and finding of this tool, by code. */
export const catalogue = {
  ...usageMessages,
  ...pipelineMessages,
  ...modelMessages,
  ...inputMessages,
  ...runtimeMessages,
  ...openvinoMessages,
  ...openvinoConvertMessages,
  ...feedMessages,
  ...isolationMessages,
  ...parityMessages,
  ...checkMessages,
  ...storeMessages,
  ...loaderMessages,
  ...benchMessages,
  ...importMessages,
  ...linkMessages,
  ...cacheMessages,
  ...statisticsMessages,
  ...pickMessages,
  ...pickScopeMessages,
  ...shipmentMessages,
  ...sweepMessages,
};

// Errors know the words of a handler only; wherever there is more than that, they get all.
addMessages(catalogue);

/** A code of the {@link catalogue}. */
export type MessageCode = keyof typeof catalogue;

/** The facts that the message of a code is made from. */
export type FactsOf<Code extends MessageCode> =
  (typeof catalogue)[Code] extends Message<infer Facts> ? Facts : never;

/**
 * Puts a code and its facts into words.
 *
 * @param code - A code of the catalogue.
 * @param facts - The facts of that code.
 * @returns What happened, and what to do about it.
 */
export function describe<Code extends MessageCode>(
  code: Code,
  facts: FactsOf<Code>,
): { readonly what: string; readonly remedy: string } {
  const message = catalogue[code] as unknown as Message<FactsOf<Code>>;
  return { what: message.what(facts), remedy: message.remedy(facts) };
}
