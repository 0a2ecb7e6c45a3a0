import { appendFile, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { spawnGuarded } from '../../scripts/guarded-process.ts'
import { MissingTool } from '../../scripts/tools/missing-tool.ts'
import { ensureRsyslog } from '../../scripts/tools/rsyslog.ts'
import { isChecking } from '../support/checking.ts'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import { PATIENT } from '../support/patience.ts'
import type { RunningServer } from '../support/running-server.ts'

const rsyslog = await ensureRsyslog((line) => console.error(line)).catch((error: unknown) => {
  if (!(error instanceof MissingTool) || isChecking()) throw error
  console.error(`\n*** THE TEST WITH RSYSLOG IS SKIPPED: ${error.message} ***\n`)
  return undefined
})

const line = (id: number): string =>
  `${JSON.stringify({ id: `b${id}`, at: '2024-05-01T10:00:00Z', where: { lat: 48.4, lon: -4.5 }, level: id / 2 })}\n`

const configuration = (directory: string, host: string): string => `
global(workDirectory="${directory}")
module(load="imfile")
module(load="omelasticsearch")
template(name="document" type="string" string="%msg%")
input(type="imfile" file="${directory}/buoys.log" tag="buoys" ruleset="periplus")
ruleset(name="periplus") {
  action(type="omelasticsearch" server="${host}/index" template="document"
         searchIndex="buoys" searchType="" bulkmode="on" action.resumeRetryCount="-1")
}
`

describe.skipIf(rsyslog === undefined)('rsyslog', () => {
  let server: RunningServer
  let stop = async (): Promise<void> => undefined
  let directory: string

  beforeAll(async () => {
    if (rsyslog === undefined) return
    server = await startEmbeddedServer()
    directory = await mkdtemp(join(tmpdir(), 'periplus-rsyslog-'))
    const settings = join(directory, 'rsyslog.conf')
    await writeFile(settings, configuration(directory, new URL(server.base).host))
    await writeFile(join(directory, 'buoys.log'), line(1) + line(2))
    const { program, modules, libraries } = rsyslog
    const options = ['-n', '-C', '-f', settings, '-M', modules, '-i', join(directory, 'pid')]
    const log = join(directory, 'output.log')
    const env = { LD_LIBRARY_PATH: libraries }
    stop = spawnGuarded({ command: [program, ...options], cwd: directory, env, log, directory }).stop
  })

  afterAll(async () => {
    await stop()
    await server?.stop()
  })

  const found = async (): Promise<unknown> => {
    const answer = await fetch(`${server.base}/index/buoys/_count`)
    return answer.status === 200 ? ((await answer.json()) as { readonly count: number }).count : answer.status
  }

  test('ships the lines of a file, and those appended to it', async () => {
    await expect.poll(found, PATIENT).toBe(2)
    await appendFile(join(directory, 'buoys.log'), Array.from({ length: 500 }, (_, i) => line(i + 3)).join(''))
    await expect.poll(found, PATIENT).toBe(502)
    const mapping = await (await fetch(`${server.base}/index/buoys/_mapping`)).json()
    expect(mapping).toMatchObject({
      buoys: {
        mappings: { properties: { at: { type: 'date' }, where: { type: 'geo_point' }, level: { type: 'double' } } },
      },
    })
  })
})
