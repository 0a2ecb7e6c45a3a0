import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeWorkplace, type RunningServer } from '../cli/periplus.ts'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../docs', import.meta.url))
const page = readFileSync(path.join(folder, 'files.md'), 'utf8')
const blocks = [...page.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language, text = '']) => ({ language, text }))
const lines = blocks.flatMap(({ language, text }) => (language === 'sh' ? text.trim().split('\n') : []))

/** First bytes of what a command leaves, by the ending of its name. */
const beginnings: Readonly<Record<string, string | RegExp>> = {
  csv: /^id,|^[a-z]+,/,
  parquet: 'PAR1',
  fgb: 'fgb',
  geojsonl: '{"type":"Feature"',
  zip: 'PK',
  png: '\u0089PNG',
  mvt: /hits/,
}

describe('the page about files', () => {
  const workplace = makeWorkplace()
  let server: RunningServer

  beforeAll(async () => {
    server = await workplace.serve(['--demo'])
  })

  afterAll(async () => {
    await server.stop()
    workplace.remove()
  })

  test('has commands', () => {
    expect(lines.length).toBeGreaterThan(10)
  })

  test.each(lines)('%s', async (line) => {
    if (line.startsWith('npx periplus ')) {
      const [command = '', output] = line.split(' > ')
      const outcome = await workplace.run(command.split(' ').slice(2))
      expect(outcome, outcome.stderr).toMatchObject({ code: 0 })
      if (output !== undefined) expect(outcome.stdout).toMatch(/^\{"type":"Feature"/)
      return
    }
    const here = line
      .replace('http://localhost:9999', server.url)
      .replace(/^curl /, 'curl --silent --show-error --fail-with-body ')
    const { stdout } = await run('bash', ['-c', here], { cwd: workplace.directory })
    const name = /-o (\S+)/.exec(line)?.[1]
    if (name === undefined) {
      expect(stdout).toMatch(/^(<\?xml|\{)/)
      return
    }
    const bytes = readFileSync(workplace.path(name)).toString('latin1')
    expect(bytes.slice(0, 100)).toMatch(new RegExp(beginnings[path.extname(name).slice(1)] ?? 'unknown ending'))
  })

  test('shows the TileJSON document as it is', async () => {
    const shown = JSON.parse(blocks.find(({ language }) => language === 'json')?.text ?? '')
    const answer = await fetch(`${server.url}/explore/earthquakes/_mvt?f=mag:gte:4&include=mag,place`)
    const text = await answer.text()
    expect(JSON.parse(text.replaceAll(server.url, 'http://localhost:9999'))).toEqual(shown)
  })

  test('points to files that exist', () => {
    for (const [, target = ''] of page.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(() => readFileSync(path.join(folder, target)), target).not.toThrow()
    }
  })
})
