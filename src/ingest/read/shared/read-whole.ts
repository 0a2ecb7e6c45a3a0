import { InputFault } from '../../source/input-fault.ts'

/** Reads a file that has to be in memory as a whole. */
export async function readWhole(chunks: AsyncIterable<Buffer>, name: string, most: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > most) throw new InputFault(`${name} is longer than ${most / 1024 / 1024} MiB, the limit of this format.`)
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}
