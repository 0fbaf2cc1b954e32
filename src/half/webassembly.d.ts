/** What we use of WebAssembly, which neither the language's nor Node's type definitions declare. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>);
    readonly exports: unknown;
  }
  class Memory {
    constructor(pages: { readonly initial: number });
    readonly buffer: ArrayBuffer;
  }
}
