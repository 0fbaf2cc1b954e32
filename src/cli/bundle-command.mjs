// Joins the built modules behind dist/bin.js into a few files in dist/command: loading some 180 small ones takes Node.js
// as long as converting a model of 100 MB. Whoever imports the library or the loader gets the modules one by one.
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
// What every command needs is one file; each verb has its own, loaded when it is asked for. What imports a library is no ground.
const groups = [{ name: 'ground', test: /dist\/(lib\/(?!part-slots)|messages\/)/ }];

await rm(`${dist}command`, { recursive: true, force: true });
const bundle = await rolldown({ input: `${dist}bin.js`, platform: 'node', external: /^[^./]/ });
await bundle.write({
  dir: dist,
  format: 'esm',
  entryFileNames: 'bin.js',
  chunkFileNames: 'command/[name].js',
  codeSplitting: { groups },
});
await bundle.close();
