// Run by `npm run services:install`: builds the servers that the tests speak to.
import { versitygw } from './versitygw.mjs';

console.log(`${versitygw.name}: ${await versitygw.install()}`);
