/** Messages of the input area. */
export const inputMessages = {};
