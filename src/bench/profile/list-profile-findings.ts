import { isOversubscribed } from '../../lib/cpu-quota.js';
import { type Finding, makeFinding } from '../../messages/finding.js';
import type { BenchProfile } from '../bench-result.js';
import type { ProfilePlan } from './plan-profile.js';

/**
 * Says how a profile differs from the function it stands for.
 *
 * @param profile - As it was had.
 * @param plan - As it was wanted.
 * @param reasons - Why a limit does not hold.
 * @returns Warnings.
 */
export function listProfileFindings(
  profile: BenchProfile,
  plan: ProfilePlan,
  reasons: readonly string[],
): readonly Finding[] {
  const { memoryMiB, threads, cpuLimit, memoryLimit } = profile;
  const { vcpus, machineCpus, choice } = plan;
  const { threads: cores, warning } = choice;
  const findings: Finding[] = [];
  if (memoryMiB !== null && vcpus > machineCpus) {
    findings.push(
      makeFinding('warning', 'bench-profile-beyond-machine', { memoryMiB, vcpus, cpus: machineCpus }),
    );
  }
  if (memoryMiB !== null && !(cpuLimit.startsWith('cgroup') && memoryLimit !== 'none')) {
    const reason = reasons[0] ?? 'no control groups are mounted where this process may write';
    findings.push(
      makeFinding('warning', 'bench-profile-not-enforced', { memoryMiB, cpuLimit, memoryLimit, reason }),
    );
  }
  if (isOversubscribed(threads, choice)) {
    findings.push(makeFinding('warning', 'bench-threads-oversubscribed', { threads, cores }));
  }
  if (warning !== null) findings.push(makeFinding('warning', 'bench-quota-unclear', { warning }));
  return findings;
}
