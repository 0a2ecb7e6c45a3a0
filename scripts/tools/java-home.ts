import { execFile } from 'node:child_process'
import { access, readdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findTool, MissingTool } from './missing-tool.ts'

const run = promisify(execFile)

/** Common installation directories of JVMs. */
const USUAL_PLACES = ['/usr/lib/jvm', '/Library/Java/JavaVirtualMachines']

interface JavaHome {
  readonly path: string
  readonly major: number
  /** Build as printed by the JVM: `25.0.3+9-LTS`. */
  readonly build: string
}

/** Returns JAVA_HOME if it is recent enough, else the newest installed JVM: the default is often too old. */
export async function findJava(oldest: number, purpose: string): Promise<JavaHome> {
  const chosen = process.env.JAVA_HOME
  const preferred = chosen === undefined ? undefined : await readJava(chosen)
  if (preferred !== undefined && preferred.major >= oldest) return preferred
  const present = await Promise.all((await candidates()).map(readJava))
  const newest = present.filter((java) => java !== undefined).sort((a, b) => b.major - a.major)[0]
  if (newest !== undefined && newest.major >= oldest) return newest
  const found = newest === undefined ? 'no Java was found' : `the newest found is ${newest.major}`
  throw new MissingTool(
    `Java ${oldest} or later is required to run ${purpose}, but ${found}: ` +
      'apt install openjdk-21-jre-headless, brew install openjdk, or set JAVA_HOME',
  )
}

async function candidates(): Promise<readonly string[]> {
  const onPath = await findTool('java')
  const home = onPath === undefined ? [] : [dirname(dirname(await realpath(onPath)))]
  const families = [...new Set([...home.map((path) => dirname(path)), ...USUAL_PLACES])]
  const siblings = await Promise.all(
    families.map(async (family) => (await namesIn(family)).map((n) => join(family, n))),
  )
  const all = [...home, ...siblings.flat()]
  return [...all, ...all.map((path) => join(path, 'Contents', 'Home'))]
}

const namesIn = (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })

/** Returns undefined if the directory contains no JVM that runs here. */
async function readJava(path: string): Promise<JavaHome | undefined> {
  const binary = join(path, 'bin', 'java')
  const runs = await access(binary).then(
    () => true,
    () => false,
  )
  if (!runs) return undefined
  const { stderr } = await run(binary, ['-version'])
  const major = Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0)
  return { path, major, build: /\(build ([^\s)]+)/.exec(stderr)?.[1] ?? String(major) }
}
