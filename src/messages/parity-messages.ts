/** Messages of the parity area. */
export const parityMessages = {};
