import { resolveChildModule } from '../lib/child-module.js';

// Here, one folder below `dist`, since the same relative path has to lead there from `dist/command` as well.

/** The program that one worker of a sweep is. */
export const sweepWorkerProgram = resolveChildModule('../bench/sweep/sweep-worker.js', import.meta.url);

/** The program that one sample of a session's options is. */
export const tuneSampleProgram = resolveChildModule('../bench/tune/tune-child.js', import.meta.url);
