// Plain JavaScript, so that `npm run services:install` needs no TypeScript loader and nothing is written twice.
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { preparePython } from '../perf/python-packages.mjs';

const run = promisify(execFile);
const version = '1.58.0';
const overrideVariable = 'OPTIMISE_MODEL_TEST_CFN_LINT';
/** The version is part of the name, so that another one is installed anew. */
const folder = fileURLToPath(new URL(`../../.cache/services/cfn-lint-${version}`, import.meta.url));

/** cfn-lint: judges CloudFormation and SAM templates by AWS's own resource schemas. */
export const cfnLint = { name: 'cfn-lint', find, install, whyNot, lint };

/**
 * Looks for the program: the environment variable, then what `install` made.
 * @returns {Promise<string | undefined>} Its path.
 */
async function find() {
  const path = process.env[overrideVariable] || join(folder, 'bin', 'cfn-lint');
  return access(path, constants.X_OK).then(
    () => path,
    () => undefined,
  );
}

/**
 * Says why there is none, and what to do about it.
 * @returns {Promise<string | undefined>} The reason; undefined when there is one.
 */
async function whyNot() {
  if ((await find()) !== undefined) return undefined;
  const override = process.env[overrideVariable];
  if (override) return `${overrideVariable} is ${override}, which is no program`;
  return 'cfn-lint is not in .cache/services; `npm run services:install` installs it with Python';
}

/**
 * Installs it into a Python environment of its own, unless there is one already.
 * @returns {Promise<string>} Its path.
 */
async function install() {
  const found = await find();
  if (found !== undefined) return found;
  const made = await preparePython(folder, [`cfn-lint==${version}`]);
  if ('missing' in made) throw new Error(`${made.missing}; Python ≥ 3.9 and access to PyPI are needed`);
  return join(folder, 'bin', 'cfn-lint');
}

/**
 * Judges a template.
 * @param {string} template - Its path.
 * @returns {Promise<readonly string[]>} What is wrong, one line each: rule, line and words.
 */
async function lint(template) {
  const program = await find();
  if (program === undefined) throw new Error(await whyNot());
  // It ends with a code of its own when it finds something.
  const { stdout } = await run(program, ['--format', 'json', template]).catch((error) => {
    if (typeof error.stdout === 'string' && error.stdout.startsWith('[')) return error;
    throw error;
  });
  return JSON.parse(stdout || '[]').map(
    ({ Rule: rule, Location: location, Message: message }) =>
      `${rule.Id} line ${location.Start.LineNumber}: ${message}`,
  );
}
