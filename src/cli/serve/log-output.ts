import { type DestinationStream, destination } from 'pino'

/** Request lines are written when this many bytes or milliseconds of them have come together. */
const BLOCK_BYTES = 8 * 1024
const BLOCK_MS = 100

/** Ends the lines of requests (request-log.ts). */
const REQUEST_LINE = '"msg":"request"}\n'

/**
 * Standard output for the log. A system call per request takes longer than most checks of a request, so the lines of
 * requests are written in blocks; all other lines (warnings, errors, the audit log) at once, after those before them.
 */
export function logOutput(file: string | number = process.stdout.fd): DestinationStream & { flush(): void } {
  const output = destination({ dest: file, sync: true, minLength: BLOCK_BYTES, periodicFlush: BLOCK_MS })
  const flush = (): void => output.flushSync()
  process.on('exit', flush)
  return {
    write(line) {
      output.write(line)
      if (!line.endsWith(REQUEST_LINE)) flush()
    },
    flush,
  }
}
