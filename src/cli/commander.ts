import { requirePackage } from '../lib/require-package.js';

/** The package that reads the command line, at hand before anything else is loaded. */
export const commander = requirePackage('commander') as typeof import('commander');
