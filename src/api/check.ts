/** What fits where. */
export {
  type CheckArtifactsOptions,
  checkArtifacts,
  type GateOptions,
  gateArtifacts,
} from '../check/check-artifacts.js';
export type { BudgetRow, CheckResult } from '../check/check-budgets.js';
export { renderCheckText } from '../report/text/check-text.js';
