/** Messages of the store area. */
export const storeMessages = {};
