import { createReadStream } from 'node:fs'

const READ_BYTES = 1024 * 1024
const LINE_FEED = 0x0a

/**
 * Reads the lines of a file in batches, one per chunk. Only a line feed ends a line: texts may contain U+2028, which
 * `node:readline` also treats as an end.
 */
export async function* readLines(path: string): AsyncIterable<readonly string[]> {
  let begun: Buffer[] = []
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: READ_BYTES })
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_FEED)
    if (end < 0) {
      begun.push(chunk)
      continue
    }
    const whole = Buffer.concat([...begun, chunk.subarray(0, end)])
    begun = [chunk.subarray(end + 1)]
    yield whole.toString('utf8').split('\n')
  }
  const last = Buffer.concat(begun).toString('utf8')
  if (last !== '') yield last.split('\n')
}
