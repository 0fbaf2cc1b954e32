// Makes dist/aws/sdk/*.cjs of the modules there; read.ts says why.
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const folder = fileURLToPath(new URL('../../dist/aws/sdk/', import.meta.url));
for (const name of ['read', 'write']) {
  const bundle = await rolldown({ input: `${folder}${name}.js`, platform: 'node', external: /^[^./]/ });
  await bundle.write({ file: `${folder}${name}.cjs`, format: 'cjs' });
  await bundle.close();
}
