import type { Command } from 'commander';
import type { Perform } from './load-commands.js';
import { addOpenvinoOption } from './openvino-option.js';

/**
 * Adds `doctor`.
 *
 * @param program - The program.
 * @param perform - Runs the body.
 */
export function addDoctorCommand(program: Command, perform: Perform): void {
  const command = program
    .command('doctor')
    .summary('what this machine offers: runtimes, S3, CPU quota, page cache')
    .description(
      'Looks at what the other commands would use here, and says what is missing and what to do. Exit 1 when a store ' +
        'that is named does not answer.',
    )
    .option('--store <store>', 'ask this store as well: s3://bucket/prefix or a folder')
    .action((flags: { readonly store?: string }) =>
      perform('doctor', async ({ terminal }) => {
        const { examineMachine, renderDoctorText } = await import('../api/doctor.js');
        const { report: result, isHealthy } = await examineMachine(flags.store);
        const status = isHealthy ? 'ok' : 'no';
        return {
          status,
          result,
          findings: [],
          text: renderDoctorText(result, terminal.text),
        };
      }),
    );
  addOpenvinoOption(command);
}
