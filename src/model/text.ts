import { Type } from 'typebox'

/** Characters of any text of a request that is neither a filter value nor a geometry: as many as a URL may have. */
const LONGEST_TEXT = 65_536

/** A text of a request body, of bounded length. */
export const Text = () => Type.String({ maxLength: LONGEST_TEXT })
