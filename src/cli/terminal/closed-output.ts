/**
 * Whoever reads the output may have seen enough, as `head` has: nobody hears the rest, and that is no fault. What is
 * under way goes on: a server does not end because nobody reads what it prints.
 */
export function letOutputBeClosed(streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
}
