// Makes dist/aws/sdk.cjs of dist/aws/sdk.js, where it says why.
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const folder = fileURLToPath(new URL('../../dist/aws/', import.meta.url));
const bundle = await rolldown({ input: `${folder}sdk.js`, platform: 'node', external: /^[^./]/ });
await bundle.write({ file: `${folder}sdk.cjs`, format: 'cjs' });
await bundle.close();
