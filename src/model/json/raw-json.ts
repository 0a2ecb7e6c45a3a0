export {}

/** In the runtime, but not yet in TypeScript's library. The declaration is global: no import is needed. */
declare global {
  interface JSON {
    /** Returns a value that `JSON.stringify` prints as this text. */
    rawJSON(text: string): { readonly rawJSON: string }
    /** False for a plain object with a `rawJSON` member. */
    isRawJSON(value: unknown): value is { readonly rawJSON: string }
  }
}
