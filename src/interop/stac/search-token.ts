import { printToken, readToken } from '../page-token.ts'

/** How far the items of a collection were returned: the cursor of the last one, or true if all were. */
export type Position = string | true

/** Prints the opaque token of the next page. */
export const printSearchToken = (positions: ReadonlyMap<string, Position>, question: string): string =>
  printToken(question, [Object.fromEntries(positions)])

/** Throws INVALID_PARAMETER for a token that is broken or of another question. */
export const readSearchToken = (text: string, question: string): ReadonlyMap<string, Position> =>
  readToken(text, question, ([positions]) => {
    if (typeof positions !== 'object' || positions === null) return undefined
    const entries = Object.entries<unknown>({ ...positions })
    const isRead = entries.every(
      (entry): entry is [string, Position] => typeof entry[1] === 'string' || entry[1] === true,
    )
    return isRead ? new Map(entries) : undefined
  })
