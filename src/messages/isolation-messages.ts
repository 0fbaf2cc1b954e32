import { defineMessage } from './message.js';

function nameEnd(signal: string | null, exitCode: number | null): string {
  return signal === null ? `with exit code ${exitCode}` : `by ${signal}`;
}

function quoteLastWords(lastWords: string): string {
  return lastWords === '' ? '' : ` Its last words: ${lastWords}`;
}

/** What can go wrong with a process of its own that runs a model. */
export const isolationMessages = {
  'runtime-crashed': defineMessage<{
    engine: string;
    model: string;
    signal: string | null;
    exitCode: number | null;
    lastWords: string;
  }>({
    exit: 3,
    what: (facts) =>
      `The process that ran ${facts.model} with ${facts.engine} ended ${nameEnd(facts.signal, facts.exitCode)} before it gave a result.${quoteLastWords(facts.lastWords)}`,
    remedy: (facts) =>
      facts.signal === 'SIGKILL' || facts.signal === 'SIGABRT'
        ? 'Give the machine more memory or a smaller input shape (`--input NAME=SHAPE`): a kill like this is most often memory running out.'
        : 'Run `optimise-model doctor` to check the installed engine, then run again.',
  }),
  'runtime-late': defineMessage<{ engine: string; model: string; timeoutMs: number }>({
    exit: 3,
    what: (facts) =>
      `The process that ran ${facts.model} with ${facts.engine} was ended after ${facts.timeoutMs / 1000} s without a result.`,
    remedy: () =>
      'Give a smaller input shape (`--input NAME=SHAPE`) or more threads (`--threads`); callers of the library can raise `timeoutMs`.',
  }),
};
