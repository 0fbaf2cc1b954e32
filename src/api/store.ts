/** Artifacts and releases in a store. */
export {
  defaultObjectSettings,
  makeObjectSettings,
  type ObjectChoices,
  type ObjectSettings,
} from '../lib/object-settings.js';
export { type ListReleasesResult, listReleases } from '../publish/list-releases.js';
export { type PromoteResult, promoteRelease, rollbackRelease } from '../publish/promote-release.js';
export { pruneReleases } from '../publish/prune/prune-releases.js';
export type { PruneResult } from '../publish/prune/prune-result.js';
export { type PublishResult, publishRelease } from '../publish/publish-release.js';
export { renderCleanText } from '../report/text/clean-text.js';
export { renderPlanText } from '../report/text/plan-text.js';
export { renderPromoteText, renderPruneText, renderReleasesText } from '../report/text/release-texts.js';
export { renderFetchText, renderPublishText, renderStageText } from '../report/text/store-texts.js';
export { type CleanOptions, type CleanResult, cleanUploads } from '../stage/clean-uploads.js';
export { type FetchResult, fetchArtifact } from '../stage/fetch-artifact.js';
export { planStaging, type StagingPlan } from '../stage/plan-staging.js';
export { type StageOptions, type StageResult, stageArtifact } from '../stage/stage-artifact.js';
