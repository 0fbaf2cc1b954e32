import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findArtifactFolder, inspectArtifact } from '../src/inspect-artifact.js';
import { artifactInspectionSchema } from '../src/report/documents/inspect-result.js';
import { renderArtifactText } from '../src/report/text/artifact-text.js';
import { writeTinyArtifact } from './fixtures/artifact-folder.js';
import { useTempFolder } from './fixtures/temp-folder.js';

const tempFolder = useTempFolder();

test('an artifact of ONNX is described with its model', async () => {
  const folder = await tempFolder();
  const { digest } = await writeTinyArtifact(folder);
  const found = await inspectArtifact(folder);
  expect(found).toMatchObject({ digest, variant: { id: 'fp32.single' }, model: { nodeCount: 1 } });
  expect(artifactInspectionSchema.parse(found)).toEqual(found);
  expect(renderArtifactText(found, { colour: false })).toMatch(/fp32\.single.*model\.onnx.*Operators/s);
});

test('an IR is described without one, also by a file of it', async () => {
  const folder = await tempFolder();
  await writeTinyArtifact(folder, { engine: 'openvino', layout: 'ir' });
  expect(await findArtifactFolder(join(folder, 'model.xml'))).toBe(folder);
  const found = await inspectArtifact(folder);
  expect(found.model).toBeNull();
  expect(found.files.map(({ path }) => path)).toEqual(['model.bin', 'model.xml']);
  expect(renderArtifactText(found, { colour: false })).toContain('openvino 2025.1.0 or newer');
});

test('a model is none, and an IR without a record is refused', async () => {
  const folder = await tempFolder();
  await writeTinyArtifact(folder, { engine: 'openvino', layout: 'ir' });
  expect(await findArtifactFolder(join(folder, 'none.onnx'))).toBeNull();
  const [alone, other] = [join(await tempFolder(), 'model.xml'), join(await tempFolder(), 'pom.xml')];
  await copyFile(join(folder, 'model.xml'), alone);
  await writeFile(other, '<project/>');
  await expect(findArtifactFolder(alone)).rejects.toMatchObject({
    code: 'artifact-folder-needed',
    facts: { folder: null },
  });
  expect(await findArtifactFolder(other)).toBeNull();
});
