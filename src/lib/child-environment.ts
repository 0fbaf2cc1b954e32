/** What a test runner or a debugger puts into the environment, and what would change how a child behaves. */
const foreign =
  /^(VITEST|VITE_|NODE_ENV$|NODE_OPTIONS$|NODE_V8_COVERAGE$|NODE_CHANNEL_|TEST$|DEV$|PROD$|MODE$|SSR$|BASE_URL$)/;

/**
 * Makes the environment of a child process whose behaviour must not depend on who started the parent.
 *
 * @param environment - The parent's, usually `process.env`.
 * @returns The same without what test runners, debuggers and Node's own options add, and with the telemetry of
 *   onnxruntime off unless it says otherwise: it leaves files of its own in the temporary folder.
 */
export function makeChildEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept: Record<string, string> = { ORT_DISABLE_TELEMETRY: '1' };
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !foreign.test(name)) kept[name] = value;
  }
  return kept;
}
