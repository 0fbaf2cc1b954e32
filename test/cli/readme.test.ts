import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeProject, runCli, tinyPipeline } from './run-cli.js';

const root = resolve(import.meta.dirname, '../..');
const commands =
  'run inspect convert validate check stage fetch bench pick publish releases report doctor'.split(' ');

async function readReadme(): Promise<string> {
  return readFile(join(root, 'README.md'), 'utf8');
}

/** The first code block of a language below a heading. */
function findBlock(readme: string, heading: string, language: string): string {
  const section = readme.slice(readme.indexOf(`\n## ${heading}\n`));
  return new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(section)?.[1] ?? '';
}

describe('the README', () => {
  it('has a library example of about ten lines that does the whole job', async () => {
    const code = findBlock(await readReadme(), 'As a library', 'js');
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(12);
    const project = await makeProject(tinyPipeline.replace('name: tiny', 'name: demo'));
    await rename(join(project, 'pipelines', 'tiny.yaml'), join(project, 'pipelines', 'demo.yaml'));
    await mkdir(join(project, 'node_modules'));
    await symlink(root, join(project, 'node_modules', 'optimise-model'), 'dir');
    await writeFile(join(project, 'release.mjs'), code);
    const { stdout } = await promisify(execFile)(process.execPath, ['release.mjs'], { cwd: project });
    expect(stdout).toMatch(/fp(32|16).* by (s3-copy|stream)/);
    const release = await readFile(join(project, 'artifacts', 'store', 'demo', 'current.json'), 'utf8');
    expect(JSON.parse(release)).toMatchObject({ kind: 'current', name: 'demo' });
  });

  it('names every command that there is, and no other', async () => {
    const readme = await readReadme();
    const listed = [...findBlock(readme, 'Commands', 'text').matchAll(/optimise-model (\w+)/g)].map(
      ([, command]) => command,
    );
    // One that has parts is named once for each of its own.
    expect([...new Set(listed)]).toEqual(commands);
    const help = await runCli(['--help'], root);
    for (const command of commands) expect(help.stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'));
    expect(help.stdout.match(/^ {2}[a-z]+ .*$/gm)).toHaveLength(commands.length + 1);
  });
});
