/**
 * The public API: the verbs, a pipeline of them, and what their results are shown with. Each part is listed by hand in
 * `api/`, where the command line loads the one that it needs. The loader that handlers import is
 * `optimise-model/loader`.
 */
export * from './api/bench.js';
export * from './api/check.js';
export * from './api/choices.js';
export * from './api/convert.js';
export * from './api/doctor.js';
export * from './api/inspect.js';
export * from './api/run.js';
export * from './api/store.js';
export * from './api/validate.js';
export * from './api/values.js';
