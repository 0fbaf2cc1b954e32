import type { TestContext } from 'vitest';
import { openvino } from './openvino.mjs';

/** The OpenVINO that tests use. */
export type TestOpenvino = {
  /** The library of its C API. */
  readonly libraryPath: string;
  /** The Python that has the package, with the converter; null when the library came without one. */
  readonly python: string | null;
};

/**
 * Makes sure that a test that needs the real OpenVINO has it, in this process and in those that it starts: on a user's
 * machine without it the test is skipped by name and reason, in CI its absence is a failure.
 *
 * @param context - The test's context, or that of a `beforeEach`.
 * @returns Where it is.
 */
export async function requireOpenvino(context: TestContext): Promise<TestOpenvino> {
  const libraryPath = await openvino.find();
  if (libraryPath !== undefined) {
    process.env.OPENVINO_LIB_PATH = libraryPath;
    return { libraryPath, python: (await openvino.findPython()) ?? null };
  }
  const reason = `${await openvino.whyNot()}`;
  if (process.env.CI) throw new Error(`In CI this test must run: ${reason}`);
  return context.skip(reason);
}
