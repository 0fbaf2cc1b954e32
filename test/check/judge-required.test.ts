import { describe, expect, it } from 'vitest';
import type { BudgetRow } from '../../src/check/check-budgets.js';
import { judgeRequired } from '../../src/check/judge-required.js';
import { resolveLimits } from '../../src/check/resolve-limits.js';

const limits = resolveLimits({ profile: 'lambda-zip', ephemeralMiB: 512, memoryMiB: null });

function row(variantId: string, delivery: BudgetRow['delivery'], verdict: BudgetRow['verdict']): BudgetRow {
  return { variantId, delivery, verdict, reason: '', lines: [] };
}

function judge(rows: readonly BudgetRow[], required: Parameters<typeof judgeRequired>[1] = []) {
  const { fits, isUnjudged } = judgeRequired({ rows, limits }, required);
  return { fits, isUnjudged };
}

describe('a gate with artifacts whose engine is not here', () => {
  const unknown = [row('ir', 'layer', 'fail'), row('ir', 's3-copy', 'unknown')];
  const fitting = [row('onnx', 'layer', 'fail'), row('onnx', 's3-copy', 'pass')];
  const failing = [row('big', 'layer', 'fail'), row('big', 's3-copy', 'fail')];

  it('cannot judge, unless something else does not fit', () => {
    expect(judge(unknown)).toEqual({ fits: false, isUnjudged: true });
    expect(judge([...unknown, ...fitting])).toEqual({ fits: false, isUnjudged: true });
    expect(judge([...unknown, ...failing])).toEqual({ fits: false, isUnjudged: false });
    expect(judge(fitting)).toEqual({ fits: true, isUnjudged: false });
  });

  it('asks for what is required only', () => {
    const ask = (subject: string, delivery: BudgetRow['delivery']) =>
      judge([...unknown, ...fitting], [{ subjects: [subject], deliveries: [delivery] }]);
    expect(ask('onnx', 's3-copy')).toEqual({ fits: true, isUnjudged: false });
    expect(ask('ir', 's3-copy')).toEqual({ fits: false, isUnjudged: true });
    expect(ask('ir', 'layer')).toEqual({ fits: false, isUnjudged: false });
  });
});
