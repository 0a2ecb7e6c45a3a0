import type { Feature } from '../../model/responses.ts'

/** Writes one feature per line. */
export async function* writeGeojsonLines(batches: AsyncIterable<readonly Feature[]>): AsyncIterable<string> {
  for await (const features of batches) {
    if (features.length > 0) yield features.map((feature) => `${JSON.stringify(feature)}\n`).join('')
  }
}
