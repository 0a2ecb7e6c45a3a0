/** Counts the records of a file chunk by chunk. Returns the number so far. */
export type RecordCounter = (chunk: Uint8Array) => number

const LINE_FEED = 0x0a
const QUOTE = 0x22

export function countLines(): RecordCounter {
  let lines = 0
  return (chunk) => {
    for (const byte of chunk) if (byte === LINE_FEED) lines++
    return lines
  }
}

/** Counts records of a CSV with a header; line feeds between quotes are part of a cell. */
export function countCsvRecords(): RecordCounter {
  let lines = 0
  let isQuoted = false
  return (chunk) => {
    for (const byte of chunk) {
      if (byte === QUOTE) isQuoted = !isQuoted
      else if (byte === LINE_FEED && !isQuoted) lines++
    }
    return Math.max(0, lines - 1)
  }
}

const MAGIC_BYTES = 8
const LENGTH_BYTES = 4

/**
 * Counts features of a FlatGeobuf without index: eight bytes, then a header and features, each prefixed by its length.
 */
export function countFlatgeobufFeatures(): RecordCounter {
  // The header counts as the first.
  let begun = -1
  let left = MAGIC_BYTES
  let length = 0
  let lengthBytes = LENGTH_BYTES
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (left > 0) {
        const step = Math.min(left, chunk.length - at)
        left -= step
        at += step
        if (left === 0) [length, lengthBytes] = [0, 0]
        continue
      }
      length += (chunk[at++] ?? 0) * 256 ** lengthBytes++
      if (lengthBytes < LENGTH_BYTES) continue
      left = length
      begun++
    }
    // A record counts when it is complete.
    return Math.max(0, left === 0 ? begun : begun - 1)
  }
}
