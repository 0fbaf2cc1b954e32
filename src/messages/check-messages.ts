/** Messages of the check area. */
export const checkMessages = {};
