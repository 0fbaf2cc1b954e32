/** Artifacts and releases in a store. */
export { defaultObjectSettings, type ObjectSettings } from '../lib/object-settings.js';
export { type PublishResult, publishRelease } from '../publish/publish-release.js';
export { renderFetchText, renderPublishText, renderStageText } from '../report/text/store-texts.js';
export { type FetchResult, fetchArtifact } from '../stage/fetch-artifact.js';
export { type StageResult, stageArtifact } from '../stage/stage-artifact.js';
