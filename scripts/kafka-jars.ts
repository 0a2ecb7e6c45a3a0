import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { exists } from './distribution.ts'
import { MissingTool, requireTool } from './missing-tool.ts'

const run = promisify(execFile)

const CACHE = fileURLToPath(new URL('../.cache/kafka', import.meta.url))
const FETCHED_WITHIN_MS = 15 * 60_000

const VERSION = '4.0.0'

/** How messages name it. */
export const KAFKA = `Kafka ${VERSION}`
export const KAFKA_OLDEST_JAVA = 17

/** The broker comes without anything that prints what it logs: the second one does that. */
const ARTIFACTS = [
  ['org.apache.kafka', 'kafka_2.13', VERSION],
  ['org.slf4j', 'slf4j-simple', '1.7.36'],
] as const

/**
 * The directory with the broker's jars, fetched once. They are fetched under another name and renamed, so that what is
 * there is whole, whoever else is at it.
 */
export async function installKafka(say: (line: string) => void): Promise<string> {
  const home = join(CACHE, VERSION)
  if (await exists(home)) return home
  await requireTool('mvn', `fetches ${KAFKA}`, 'apt install maven, or brew install maven')
  say(`Fetching ${KAFKA} from Maven Central (once, 40 MB)...`)
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
  throw new MissingTool(`${KAFKA} could not be fetched from Maven Central: ${why.trim()}`)
}

/** Maven copies the dependencies of a project: this one does nothing but depend. */
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
