/** Joins the keys of the levels of a bucket. */
export const joined = (keys: readonly string[]): string => keys.join(' > ')

/** Throws, because an answer cannot be read. */
export function missing(member: string, answer: object): never {
  throw new Error(`no ${member} in ${JSON.stringify(answer).slice(0, 300)}`)
}
