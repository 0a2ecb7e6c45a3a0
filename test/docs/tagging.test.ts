import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeWorkplace, type RunningServer } from '../cli/periplus.ts'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../docs', import.meta.url))
const page = readFileSync(path.join(folder, 'tagging.md'), 'utf8')
const blocks = [...page.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language, text = '']) => ({ language, text }))

/** Commands in order; the JSON block below a block is the answer to its last line. */
const commands = blocks.flatMap(({ language, text }, i) => {
  if (language !== 'sh') return []
  const below = blocks[i + 1]
  const lines = text.trim().split('\n')
  return lines.map((line, at) => ({
    line,
    answer: at === lines.length - 1 && below?.language === 'json' ? (JSON.parse(below.text) as unknown) : undefined,
  }))
})

/** Ids and times are others each time. */
const settled = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer).replaceAll(/("(?:id|startTime|endTime|creationTime)":)("[^"]*"|\d+)/g, '$10'))

describe('the page about tagging', () => {
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
    expect(commands.length).toBeGreaterThan(10)
  })

  test.each(commands)('$line', async ({ line, answer }) => {
    if (line.startsWith('npx periplus ')) {
      const outcome = await workplace.run(line.split(' ').slice(2))
      expect(outcome, outcome.stderr).toMatchObject({ code: 0 })
      if (line.endsWith('--wait')) expect(outcome.stdout).toMatch(/^(Done: [1-9][\d,]* documents?,.*\n)+$/)
      return
    }
    const here = line
      .replace('http://localhost:9999', server.url)
      .replace(/^curl /, 'curl --silent --show-error --fail-with-body ')
    const { stdout } = await run('bash', ['-c', here])
    if (answer !== undefined) expect(settled(JSON.parse(stdout))).toEqual(settled(answer))
  })

  test('points to files that exist', () => {
    for (const [, target = ''] of page.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(() => readFileSync(path.join(folder, target)), target).not.toThrow()
    }
  })
})
