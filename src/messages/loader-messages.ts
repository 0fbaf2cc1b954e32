/** Messages of the loader area. */
export const loaderMessages = {};
