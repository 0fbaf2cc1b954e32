import { readFileSync } from 'node:fs';

/** This tool's own version, as its package.json says; part of every step key, record and document. */
export const toolVersion: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;
