import { keepFilesPrivate } from '../storage/private-files.ts'
import { runCommand } from './run-command.ts'

letOutputBeClosed([process.stdout, process.stderr])
keepFilesPrivate()
await runCommand(process.argv)

/**
 * Ignores EPIPE, because readers such as `head` may close the output early. The process continues: a server must not
 * stop because its output is not read.
 */
function letOutputBeClosed(streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
}
