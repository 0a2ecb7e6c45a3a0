import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Distribution, exists, install } from './distribution.ts'
import { findJava } from './java-home.ts'
import { startNode } from './search-node.ts'

const run = promisify(execFile)

/**
 * Class-data archive of the JVM for a starting node, which halves the start time. Created once per JVM by starting a
 * node; undefined if the JVM does not create one.
 */
export async function classArchive(
  distribution: Distribution,
  say: (line: string) => void,
): Promise<string | undefined> {
  const home = await install(distribution, say)
  const java = await findJava(distribution.oldestJava, distribution.label)
  const archive = `${home}.classes-${java.build.replace(/[^\w.+-]/g, '_')}.jsa`
  if (await exists(archive)) return archive
  say(`Preparing ${distribution.label} (once)...`)
  const directory = await mkdtemp(join(tmpdir(), 'periplus-classes-'))
  try {
    // the node may run as another user
    await run('chmod', ['a+rwx', directory])
    const made = join(directory, 'classes.jsa')
    const jvmOptions = [`-XX:ArchiveClassesAtExit=${made}`, '-Xlog:cds=off', '-Xlog:cds+dynamic=off']
    const node = await startNode(distribution, { heapMiB: 512, purpose: 'testing', jvmOptions })
    await node.stop()
    if (!(await exists(made))) return undefined
    const whole = `${archive}.${process.pid}`
    await copyFile(made, whole)
    await rename(whole, archive)
    return archive
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
