/** Messages of the pipeline area. */
export const pipelineMessages = {};
