import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { exists } from '../distribution.ts'
import { MissingTool, requireTool } from '../tools/missing-tool.ts'

const run = promisify(execFile)

const CACHE = fileURLToPath(new URL('../../.cache/kafka', import.meta.url))
const FETCHED_WITHIN_MS = 15 * 60_000

const VERSION = '4.0.0'

/** Name in messages. */
export const KAFKA = `Kafka ${VERSION}`
export const KAFKA_OLDEST_JAVA = 17

/** The broker, and a log backend, which it does not include. */
const ARTIFACTS = [
  ['org.apache.kafka', 'kafka_2.13', VERSION],
  ['org.slf4j', 'slf4j-simple', '1.7.36'],
] as const

/**
 * Returns the directory with the jars of the broker; downloads them once. Downloads under a temporary name and renames
 * it, so that the directory is always complete, even with concurrent installs.
 */
export async function installKafka(say: (line: string) => void): Promise<string> {
  const home = join(CACHE, VERSION)
  if (await exists(home)) return home
  await requireTool('mvn', `to download ${KAFKA}`, 'apt install maven, or brew install maven')
  say(`Downloading ${KAFKA} from Maven Central (once, 40 MB)...`)
  await mkdir(CACHE, { recursive: true })
  const work = await mkdtemp(join(CACHE, 'part-'))
  try {
    await writeFile(join(work, 'pom.xml'), projectFile())
    const jars = join(work, 'jars')
    const options = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${jars}`]
    await run('mvn', ['-q', '-B', ...options], { cwd: work, timeout: FETCHED_WITHIN_MS }).catch(refused)
    await rename(jars, home).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return home
}

function refused(error: Error & { stdout?: string }): never {
  const why = error.stdout?.split('\n').find((line) => line.includes('ERROR')) ?? error.message
  throw new MissingTool(`${KAFKA} could not be downloaded from Maven Central: ${why.trim()}`)
}

/** A Maven project that only declares dependencies, to let Maven copy them. */
function projectFile(): string {
  const dependencies = ARTIFACTS.map(
    ([group, name, version]) =>
      `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`,
  )
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>periplus</groupId>
  <artifactId>kafka-jars</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>${dependencies.join('')}</dependencies>
</project>
`
}
