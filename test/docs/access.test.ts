import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadSettings } from '../../src/config/load-settings.ts'
import { makeWorkplace, type RunningServer } from '../cli/periplus.ts'
import { startIssuer, type TokenIssuer } from '../http/access/token-issuer.ts'

const run = promisify(execFile)
const page = readFileSync(fileURLToPath(new URL('../../docs/access.md', import.meta.url)), 'utf8')

interface Section {
  readonly title: string
  readonly yaml: readonly string[]
  readonly lines: readonly string[]
}

const blocks = (text: string, language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, block = '']) => block)

const sections: readonly Section[] = page
  .split(/^## /m)
  .slice(1)
  .map((text) => ({
    title: text.split('\n', 1)[0] ?? '',
    yaml: blocks(text, 'yaml'),
    lines: blocks(text, 'sh').flatMap((block) => block.split('\n').filter((line) => line !== '')),
  }))

describe('the guide to access', () => {
  const place = makeWorkplace()
  let issuer: TokenIssuer
  beforeAll(async () => {
    issuer = await startIssuer()
  })
  afterAll(async () => {
    await issuer.stop()
    place.remove()
  })

  /** A reader has an identity provider and a proxy of their own. */
  const here = (yaml: string): string =>
    yaml.replaceAll('https://login.example.org/realms/maps', issuer.url).replaceAll('10.0.0.5', '127.0.0.1')

  test('has a section with commands for every mode', () => {
    const modes = sections.filter(({ lines }) => lines.length > 0).map(({ title }) => title)
    expect(modes).toEqual(['Without authentication', 'API keys', 'Tokens', 'A proxy that knows the caller'])
  })

  test.each(sections.flatMap(({ title, yaml }) => yaml.map((text) => ({ title, text }))))(
    'the settings of "$title" can be used',
    ({ text }) => {
      writeFileSync(place.path('page.yaml'), here(text))
      expect(() => loadSettings({ cwd: place.directory, file: 'page.yaml' })).not.toThrow()
    },
  )

  test.each(sections.filter(({ lines }) => lines.length > 0))('the commands of "$title"', async ({ yaml, lines }) => {
    writeFileSync(place.path('periplus.yaml'), here(yaml[0] ?? ''))
    const env: Record<string, string> = {
      TOKEN: await issuer.sign({ 'http://arlas.io/roles': ['role/arlas/user'] }),
    }
    let server: RunningServer | undefined
    try {
      for (const line of lines) {
        if (line.startsWith('npx periplus serve ')) server = await place.serve(line.split(' ').slice(3))
        else if (line.startsWith('curl ')) await expectStatus(line, server?.url ?? '', env)
        else await runCommand(line, env)
      }
    } finally {
      await server?.stop()
    }
  })

  /** The status stands in a comment at the end of the line. */
  async function expectStatus(line: string, url: string, env: Readonly<Record<string, string>>): Promise<void> {
    const [, command = '', status] = /^curl (.*?)\s+# (\d{3})$/.exec(line) ?? []
    expect(status, line).toBeDefined()
    const asked = `curl --silent --output /dev/null --write-out '%{http_code}' ${command.replace('http://localhost:9999', url)}`
    const { stdout } = await run('bash', ['-c', asked], { env: { PATH: process.env.PATH, ...env } })
    expect(stdout, line).toBe(status)
  }

  /** `NAME=$(npx periplus ...)`, or `npx periplus ...`, with variables of the lines before. */
  async function runCommand(line: string, env: Record<string, string>): Promise<void> {
    const [, name, call, token] = /^(?:(\w+)=\$\((.*)\)|(?:PERIPLUS_CLIENT_TOKEN=\$(\w+) )?npx .*)$/.exec(line) ?? []
    const command = (call ?? line.replace(/^PERIPLUS_CLIENT_TOKEN=\S+ /, ''))
      .replaceAll(/\$\{(\w+)%%\.\*\}/g, (_whole, variable: string) => env[variable]?.split('.')[0] ?? '')
      .split(' ')
    expect(command.slice(0, 2), line).toEqual(['npx', 'periplus'])
    const known = token === undefined ? [] : ['--set', `client.token=${env[token]}`]
    const outcome = await place.run([...command.slice(2), ...known])
    expect(outcome, `${line}\n${outcome.stderr}`).toMatchObject({ code: 0 })
    if (name !== undefined) env[name] = outcome.stdout.trim()
  }
})
