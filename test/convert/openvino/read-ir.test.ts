import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readIr } from '../../../src/convert/openvino/read-ir.js';
import { useTempFolder } from '../../fixtures/temp-folder.js';

const makeFolder = useTempFolder();

function constant(name: string, data: string, more = ''): string {
  return `<layer id="1" name="${name}" type="Const" version="opset1"><data ${data} />
    <output><port id="0" precision="FP32"${more}><dim>2</dim></port></output></layer>`;
}

async function read(layers: string) {
  const path = join(await makeFolder(), 'model.xml');
  await writeFile(path, `<?xml version="1.0"?>\n<net name="m" version="11"><layers>${layers}</layers></net>`);
  return readIr(path, new AbortController().signal);
}

it('finds the constants of the main graph and of bodies, with where their bytes are', async () => {
  const inner = constant('w', 'element_type="f16" shape="2" offset="16" size="4"');
  const layers = `
    ${constant('a &amp; b', 'element_type="f32" shape="2, 2" offset="0" size="16"')}
    <layer id="2" name="loop" type="Loop" version="opset5"><data />
      <body><layers>
        <layer id="0" name="if" type="If" version="opset8"><then_body><layers>${inner}</layers></then_body></layer>
        ${constant('later', 'element_type="i64" shape="" offset="24" size="8"')}
      </layers></body>
    </layer>
    ${constant('last', 'element_type="f64" shape="1" offset="32" size="8"')}`;
  const { irVersion, opset, constants } = await read(layers);
  expect({ irVersion, opset }).toEqual({ irVersion: 11, opset: 8 });
  expect(constants).toMatchObject([
    { name: 'a & b', scope: 'graph', elementType: 'f32', shape: '2, 2', offset: 0, sizeBytes: 16 },
    { name: 'w', scope: 'graph/loop.body/if.then_body', elementType: 'f16', offset: 16, sizeBytes: 4 },
    { name: 'later', scope: 'graph/loop.body', elementType: 'i64', shape: '' },
    { name: 'last', scope: 'graph', elementType: 'f64' },
  ]);
});

it('reads the names that values had in the exported model, with commas in them', async () => {
  const data = 'element_type="f32" shape="2" offset="0" size="8"';
  const { constants } = await read(constant('c', data, String.raw` names="w,x\,y,z"`) + constant('d', data));
  expect(constants.map(({ onnxNames }) => onnxNames)).toEqual([['w', 'x,y', 'z'], []]);
});

it('counts operators of OpenVINO itself as of no opset', async () => {
  const { opset } = await read('<layer id="0" name="x" type="Odd" version="extension"><data /></layer>');
  expect(opset).toBe(0);
});

it('refuses what is cut off', async () => {
  const path = join(await makeFolder(), 'model.xml');
  await writeFile(path, '<net version="11"><layers>');
  await expect(readIr(path, new AbortController().signal)).rejects.toThrow('Unclosed');
});
