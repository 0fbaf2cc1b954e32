import type { Command } from 'commander';
import { type Delivery, deliveries, type ProfileName, profileNames } from '../api/choices.js';
import { commander } from './commander.js';
import type { Perform } from './load-commands.js';
import { addOpenvinoOption } from './openvino-option.js';
import { repeatable } from './parse-choices.js';
import { parsePositiveInteger } from './parse-option.js';

type Flags = {
  readonly delivery?: readonly Delivery[];
  readonly profile: ProfileName;
  readonly ephemeralMib: number;
  readonly memoryMib?: number;
  readonly require?: readonly string[];
};

/**
 * Adds `check PATH...`.
 *
 * @param program - The program.
 * @param perform - Runs the body.
 */
export function addCheckCommand(program: Command, perform: Perform): void {
  const command = program
    .command('check')
    .summary('hold artifacts against layer, package and ephemeral-storage limits')
    .description(
      'Measures each artifact with the pruned runtime and the loader against the limits of the function, for every ' +
        'delivery. Exit 1 when a path fits by none of the deliveries, or when something that --require names does not ' +
        'fit; 4 when that cannot be judged, as its engine is not installed here. While --memory-mib is not stated, `lazy` is not judged and carries no path alone.',
    )
    .argument('<path...>', 'artifact folders, other folders or model files')
    .addOption(repeatable('--delivery <delivery>', 'only this delivery', deliveries))
    .addOption(
      new commander.Option('--profile <profile>', 'the named set of limits')
        .choices(profileNames)
        .default('lambda-zip'),
    )
    .option('--ephemeral-mib <MiB>', 'ephemeral storage of the function', parsePositiveInteger, 512)
    .option('--memory-mib <MiB>', 'memory of the function; checked for lazy', parsePositiveInteger)
    .addOption(repeatable('--require <what>', 'what must fit: VARIANT, PATH, DELIVERY or VARIANT:DELIVERY'))
    .action((paths: readonly string[], flags: Flags) =>
      perform('check', async ({ context, terminal }) => {
        const { gateArtifacts, renderCheckText } = await import('../api/check.js');
        const { delivery, profile, ephemeralMib, memoryMib } = flags;
        const options = {
          paths,
          deliveries: delivery,
          profile,
          ephemeralMiB: ephemeralMib,
          memoryMiB: memoryMib,
          require: flags.require,
        };
        const { fits, isUnjudged, result } = await gateArtifacts(options, context);
        const status = fits ? 'ok' : isUnjudged ? 'unjudged' : 'no';
        const findings = fits ? demoteErrors(result.findings) : result.findings;
        return {
          status,
          result: { ...result, findings },
          findings,
          text: renderCheckText(result, terminal.text),
        };
      }),
    );
  addOpenvinoOption(command);
}

/** What does not fit is no error of a gate that did not ask for it. */
function demoteErrors<Found extends { readonly severity: string }>(findings: readonly Found[]) {
  return findings.map((finding) =>
    finding.severity === 'error' ? ({ ...finding, severity: 'warning' } as const) : finding,
  );
}
