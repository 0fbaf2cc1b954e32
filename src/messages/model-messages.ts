/** Messages of the model area. */
export const modelMessages = {};
