import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { exists } from '../distribution.ts'

const run = promisify(execFile)

interface ArchivedProgram {
  readonly label: string
  /** Its installation; the archive is stored beside it. */
  readonly home: string
  /** Build of the JVM that runs it. */
  readonly javaBuild: string
  /** Starts it with additional options of the JVM; `stop` ends it in an orderly way. */
  readonly start: (jvmOptions: readonly string[]) => Promise<{ readonly stop: () => Promise<void> }>
}

/**
 * Returns the JVM options to use a class-data archive, which halves the start time of a server. The archive is created
 * once per JVM by starting the server; no options if the JVM does not create one.
 */
export async function archiveOptions(
  { label, home, javaBuild, start }: ArchivedProgram,
  say: (line: string) => void,
): Promise<readonly string[]> {
  const archive = `${home}.classes-${javaBuild.replace(/[^\w.+-]/g, '_')}.jsa`
  const options = [`-XX:SharedArchiveFile=${archive}`]
  if (await exists(archive)) return options
  say(`Preparing ${label} (once)...`)
  const directory = await mkdtemp(join(tmpdir(), 'periplus-classes-'))
  try {
    // the server may run as another user
    await run('chmod', ['a+rwx', directory])
    const made = join(directory, 'classes.jsa')
    const server = await start([`-XX:ArchiveClassesAtExit=${made}`, '-Xlog:cds=off', '-Xlog:cds+dynamic=off'])
    await server.stop()
    if (!(await exists(made))) return []
    const whole = `${archive}.${process.pid}`
    await copyFile(made, whole)
    await rename(whole, archive)
    return options
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
