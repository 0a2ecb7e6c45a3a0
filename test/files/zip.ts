import { readFile } from 'node:fs/promises'
import { crc32, inflateRawSync } from 'node:zlib'

const END = 0x06054b50
const ENTRY = 0x02014b50
const STORED = 0

/** Returns the files of a zip by name, in order. Throws if the zip is damaged. */
export async function filesOfZip(path: string): Promise<ReadonlyMap<string, Buffer>> {
  return filesInZip(await readFile(path), path)
}

/** Same for bytes; `path` is used in error messages. */
export function filesInZip(zip: Buffer, path = 'the zip'): ReadonlyMap<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from(Uint32Array.of(END).buffer))
  const files = new Map<string, Buffer>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== ENTRY) throw new Error(`${path} has no entry at ${at}`)
    const nameBytes = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameBytes)
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const packed = zip.subarray(start, start + zip.readUInt32LE(at + 20))
    const bytes = zip.readUInt16LE(at + 10) === STORED ? packed : inflateRawSync(packed)
    if (crc32(bytes) !== zip.readUInt32LE(at + 16)) throw new Error(`${name} in ${path} is damaged`)
    files.set(name, bytes)
    at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return files
}
