import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { requireTool } from './tools/missing-tool.ts'

const run = promisify(execFile)

/** User that runs search servers if this process is root, because they refuse to run as root. */
const USER = 'nobody'

/** How to run a command as a user that search servers accept. */
export interface UnprivilegedUser {
  readonly prefix: readonly string[]
  readonly own: (path: string) => Promise<void>
  readonly canEnter: (path: string) => Promise<boolean>
}

export async function unprivilegedUser(): Promise<UnprivilegedUser> {
  if (process.getuid?.() !== 0) return { prefix: [], own: async () => undefined, canEnter: async () => true }
  await requireTool('setpriv', 'to run a search server as a user other than root', 'apt install util-linux')
  const prefix = ['setpriv', `--reuid=${USER}`, '--clear-groups']
  return {
    prefix,
    own: async (path) => void (await run('chown', ['-R', USER, path])),
    canEnter: (path) =>
      run('setpriv', [`--reuid=${USER}`, '--clear-groups', 'test', '-r', path, '-a', '-x', path]).then(
        () => true,
        () => false,
      ),
  }
}
