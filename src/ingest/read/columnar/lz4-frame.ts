import { InputFault } from '../../source/input-fault.ts'

const MAGIC = 0x184d2204

/**
 * Decompresses an LZ4 frame (github.com/lz4/lz4, LZ4 Frame Format 1.6). Blocks may refer to earlier ones, so all are
 * written into one output of known length.
 */
export function decodeLz4Frame(bytes: Uint8Array, length: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 7 || view.getUint32(0, true) !== MAGIC) throw damaged()
  const flags = view.getUint8(4)
  const hasBlockChecksum = (flags & 0x10) !== 0
  let at = 7 + ((flags & 0x08) === 0 ? 0 : 8) + ((flags & 0x01) === 0 ? 0 : 4)
  const output = new Uint8Array(length)
  let written = 0
  for (;;) {
    if (at + 4 > bytes.length) throw damaged()
    const size = view.getUint32(at, true)
    at += 4
    if (size === 0) break
    const stored = size & 0x7fffffff
    const block = bytes.subarray(at, at + stored)
    if (block.length < stored) throw damaged()
    if (size > 0x7fffffff) {
      if (written + stored > length) throw damaged()
      output.set(block, written)
      written += stored
    } else written = decodeBlock(block, output, written)
    at += stored + (hasBlockChecksum ? 4 : 0)
  }
  return output.subarray(0, written)
}

/** Writes the sequences of a block at `start`; returns the end of what was written. */
function decodeBlock(block: Uint8Array, output: Uint8Array, start: number): number {
  let at = 0
  let end = start
  const extended = (length: number): number => {
    let total = length
    if (length === 15) {
      for (let byte = 255; byte === 255; ) {
        byte = block[at++] ?? 0
        total += byte
      }
    }
    return total
  }
  while (at < block.length) {
    const token = block[at++] ?? 0
    const literals = extended(token >> 4)
    if (end + literals > output.length || at + literals > block.length) throw damaged()
    output.set(block.subarray(at, at + literals), end)
    at += literals
    end += literals
    if (at >= block.length) break
    const offset = (block[at] ?? 0) | ((block[at + 1] ?? 0) << 8)
    at += 2
    const match = extended(token & 15) + 4
    if (offset === 0 || offset > end || end + match > output.length) throw damaged()
    // the match may overlap with what it writes
    for (let i = 0; i < match; i++) output[end + i] = output[end + i - offset] ?? 0
    end += match
  }
  return end
}

const damaged = (): InputFault => new InputFault('The file is damaged: invalid LZ4 data.')
