import { Type } from 'typebox'

/**
 * Maximum characters of a request string that is neither a filter value nor a geometry; equal to the limit for a URL.
 */
const LONGEST_TEXT = 65_536

/** A string of a request body, of bounded length. */
export const Text = () => Type.String({ maxLength: LONGEST_TEXT })
