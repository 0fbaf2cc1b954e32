/** The same type with every array and property readonly, as values cross our modules; tuples stay tuples. */
export type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;
