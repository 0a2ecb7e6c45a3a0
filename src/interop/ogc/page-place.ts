import { printToken, readToken } from '../page-token.ts'

/** The position of a page: the sort values of the hit before or after it. */
export interface PagePlace {
  readonly direction: 'after' | 'before'
  readonly cursor: string
}

const LETTERS = { after: 'a', before: 'b' } as const

export const printPlace = ({ direction, cursor }: PagePlace, question: string): string =>
  printToken(question, [LETTERS[direction], cursor])

/** Throws INVALID_PARAMETER for a token that is broken or of another question. */
export const readPlace = (text: string, question: string): PagePlace =>
  readToken(text, question, (place) => {
    const [letter, cursor] = place
    if (place.length !== 2 || typeof cursor !== 'string') return undefined
    if (letter === LETTERS.after) return { direction: 'after', cursor }
    return letter === LETTERS.before ? { direction: 'before', cursor } : undefined
  })
