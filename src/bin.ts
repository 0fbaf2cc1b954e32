#!/usr/bin/env node
import { startWithCompileCache } from './cli/compile-cache.js';

startWithCompileCache();
const { main } = await import('./cli/main.js');

process.exitCode = await main(process.argv);
