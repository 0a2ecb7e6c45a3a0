import { fillTable, type IdentifierData, SegmentIdentifiers, tableSize } from '../segment-identifiers.ts'
import { sharedUint8s, sharedUint32s } from '../shared-arrays.ts'
import { type BuildRows, DROPPED, type SourcePart } from './build-rows.ts'

/** Builds the identifiers of a segment. */
export function buildIdentifiers({ sources, count }: BuildRows): IdentifierData {
  const starts = sharedUint32s(count + 1)
  for (const source of sources) setLengths(source, starts)
  let end = 0
  for (let row = 0; row < count; row++) {
    end += starts[row + 1] ?? 0
    starts[row + 1] = end
  }
  if (end >= 2 ** 32) throw new RangeError(`the identifiers have ${end} bytes`)
  const bytes = sharedUint8s(end)
  for (const source of sources) copyBytes(source, starts, bytes)
  const data = { bytes, starts, table: sharedUint32s(tableSize(count)) }
  fillTable(data)
  return data
}

/** Sets the entry after each target to the length of its identifier. */
function setLengths({ part, targets }: SourcePart, lengths: Uint32Array): void {
  const { ids } = part
  const encoded = ids instanceof SegmentIdentifiers ? ids.data : undefined
  for (let row = 0; row < targets.length; row++) {
    const target = targets[row] ?? DROPPED
    if (target === DROPPED) continue
    lengths[target + 1] = encoded
      ? (encoded.starts[row + 1] ?? 0) - (encoded.starts[row] ?? 0)
      : Buffer.byteLength(ids.id(row))
  }
}

function copyBytes({ part, targets }: SourcePart, starts: Uint32Array, bytes: Uint8Array): void {
  const { ids } = part
  const buffer = Buffer.from(bytes.buffer)
  const encoded = ids instanceof SegmentIdentifiers ? ids.data : undefined
  for (let row = 0; row < targets.length; row++) {
    const target = targets[row] ?? DROPPED
    if (target === DROPPED) continue
    let to = starts[target] ?? 0
    if (encoded === undefined) {
      buffer.write(ids.id(row), to)
      continue
    }
    const end = encoded.starts[row + 1] ?? 0
    for (let at = encoded.starts[row] ?? 0; at < end; at++) bytes[to++] = encoded.bytes[at] ?? 0
  }
}
