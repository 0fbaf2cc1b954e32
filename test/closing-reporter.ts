import type { Reporter, TestModule } from 'vitest/node';

type Tally = { passed: number; failed: number; skipped: string[] };

function tally(modules: readonly TestModule[]): Tally {
  const sum: Tally = { passed: 0, failed: 0, skipped: [] };
  for (const module of modules) {
    // A file that fails to import has no tests, yet it must not count as nothing.
    sum.failed += module.errors().length;
    for (const test of module.children.allTests()) {
      const result = test.result();
      if (result.state === 'passed') sum.passed += 1;
      else if (result.state === 'failed') sum.failed += 1;
      else if (result.state === 'skipped')
        sum.skipped.push(`${test.fullName}: ${result.note ?? 'no reason'}`);
    }
  }
  return sum;
}

/** Lists skipped tests by name and reason at the end, and closes with one line of counts. */
export default class ClosingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const sum = tally(modules);
    for (const line of sum.skipped) console.log(`skipped: ${line}`);
    console.log(`${sum.passed} passed, ${sum.failed + errors.length} failed, ${sum.skipped.length} skipped`);
  }
}
