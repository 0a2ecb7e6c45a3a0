/**
 * Ignores EPIPE, because readers such as `head` may close the output early. The process continues: a server must not
 * stop because its output is not read.
 */
export function letOutputBeClosed(streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
}
