import { runCommand } from '../../src/cli/run-command.ts'
import { keepFilesPrivate } from '../../src/storage/private-files.ts'

// Runs commands one after the other in one process, so that the modules of the server are loaded once. Each message
// names a directory and arguments; the end of a command is marked in both outputs with the text the message gives.

interface Order {
  readonly cwd: string
  readonly args: readonly string[]
  readonly end: string
}

keepFilesPrivate()
process.on('disconnect', () => process.exit())
process.on('message', (order: Order) => void perform(order))

async function perform({ cwd, args, end }: Order): Promise<void> {
  process.chdir(cwd)
  process.exitCode = undefined
  await runCommand(['node', 'periplus', ...args])
  const code = process.exitCode ?? 0
  process.stdout.write(end)
  process.stderr.write(end)
  process.send?.(code)
}
