/** Writes features that are printed already, one per line. */
export async function* writeGeojsonLines(batches: AsyncIterable<readonly string[]>): AsyncIterable<string> {
  for await (const lines of batches) {
    if (lines.length > 0) yield `${lines.join('\n')}\n`
  }
}
