import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeWorkplace, type RunningServer } from '../cli/periplus.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
/** Documents whose commands a reader can run against the sample data. */
const documents = ['README.md', 'docs/aggregations.md']

interface Command {
  readonly line: string
  /** The JSON block right below the command's block. */
  readonly answer?: unknown
}

/** The commands of a document a reader can run against a started server, in order. */
function commandsOf(markdown: string): Command[] {
  const blocks = [...markdown.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language, text = '']) => ({ language, text }))
  return blocks.flatMap((block, i) => {
    if (block.language !== 'sh') return []
    const lines = block.text.split('\n').filter((line) => /^(curl|npx periplus) /.test(line))
    const below = blocks[i + 1]
    return lines.map(
      (line): Command => (below?.language === 'json' ? { line, answer: JSON.parse(below.text) } : { line }),
    )
  })
}

const commands = documents.flatMap((file) => commandsOf(readFileSync(path.join(root, file), 'utf8')))

describe('the commands of the documentation', () => {
  const workplace = makeWorkplace()
  let server: RunningServer

  beforeAll(async () => {
    server = await workplace.serve(['--demo'])
  })

  afterAll(async () => {
    expect(await server.stop()).toBe(0)
    workplace.remove()
  })

  test('are there', () => {
    expect(commands.length).toBeGreaterThan(20)
  })

  test.each(commands)('$line', async ({ line, answer }) => {
    if (line.startsWith('npx periplus ')) {
      const args = line
        .split(' ')
        .slice(2)
        .map((word) => (word.startsWith('examples/') ? path.join(root, word) : word))
      const outcome = await workplace.run(args)
      expect(outcome, outcome.stderr).toMatchObject({ code: 0 })
      return
    }
    const here = line
      .replace('http://localhost:9999', server.url)
      .replace(/^curl /, 'curl --silent --show-error --fail-with-body ')
    const { stdout } = await run('bash', ['-c', here])
    const body: unknown = JSON.parse(stdout)
    if (answer === undefined) expect(isEmptyAnswer(body), stdout).toBe(false)
    else expect(untimed(body)).toEqual(untimed(answer))
  })
})

/** How long an answer took is another each time. */
function untimed(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  const { query_time: _query, total_time: _total, ...rest } = body as Record<string, unknown>
  return rest
}

/** An example that finds nothing shows nothing. */
function isEmptyAnswer(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return true
  const { hits, features, elements, suggestions, totalnb, errors } = body as Record<string, unknown>
  const lists = [hits, features, elements, suggestions]
  return lists.some((list) => Array.isArray(list) && list.length === 0) || totalnb === 0 || errors === true
}

describe('links of the documentation', () => {
  const guides = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('docs', name))
  const files = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...guides]

  test.each(files)('%s points to files that exist', (file) => {
    const text = readFileSync(path.join(root, file), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(() => readFileSync(path.join(root, path.dirname(file), target)), target).not.toThrow()
    }
  })
})
