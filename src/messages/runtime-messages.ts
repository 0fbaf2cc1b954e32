/** Messages of the runtime area. */
export const runtimeMessages = {};
