/** Messages of the pick area. */
export const pickMessages = {};
