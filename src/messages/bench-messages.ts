/** Messages of the bench area. */
export const benchMessages = {};
