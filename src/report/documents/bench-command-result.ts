import { z } from 'zod';
import { benchResultSchema } from './bench-result.js';
import { sweepResultSchema } from './sweep-result.js';
import { tuneResultSchema } from './tune-result.js';

/** `result` of `bench`: the benchmark, and what was measured besides where that was asked for. */
export const benchCommandResultSchema = benchResultSchema
  .extend({ tunes: z.array(tuneResultSchema), sweeps: z.array(sweepResultSchema) })
  .meta({ id: 'BenchCommandResult' });
