/** Artifacts and releases in a store. */
export { type PublishResult, publishRelease } from '../publish/publish-release.js';
export { renderFetchText, renderPublishText, renderStageText } from '../report/text/store-texts.js';
export { type FetchResult, fetchArtifact } from '../stage/fetch-artifact.js';
export { type StageResult, stageArtifact } from '../stage/stage-artifact.js';
