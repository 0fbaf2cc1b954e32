// Started by the kill study: publishes as the library does, in a process of its own that can be killed.
// Argument: the options of `publishRelease` as JSON, `now` as text.
import { publishRelease } from '../../dist/api/store.js';

const options = JSON.parse(process.argv[2]);
await publishRelease({ ...options, now: new Date(options.now) });
