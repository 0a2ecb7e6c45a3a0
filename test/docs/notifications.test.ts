import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { ensurePythonModules } from '../../scripts/tools/python-modules.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import { makeWorkplace } from '../cli/periplus.ts'
import { PATIENT } from '../support/patience.ts'

const run = promisify(execFile)
const page = readFileSync(fileURLToPath(new URL('../../docs/notifications.md', import.meta.url)), 'utf8')
const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

const receiverModules = {
  cache: 'webhook-modules',
  packages: ['standardwebhooks==1.0.1'],
  purpose: 'to run the receiver of the guide',
} as const

const blocks = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, block = '']) => block)

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Of a reader: another terminal for the receiver, Ctrl-C before the next one, and a look at what it printed. */
const PRELUDE = `
set -euo pipefail
npx() { shift; "$NODE" --disable-warning=ExperimentalWarning "$MAIN" "$@" --data "$DATA"; }
receivers=0
receive() {
  if [ "$receivers" -gt 0 ]; then kill "$RECEIVER"; wait "$RECEIVER" || true; fi
  receivers=$((receivers + 1))
  "$NODE" --disable-warning=ExperimentalWarning "$MAIN" "$@" > "receiver$receivers.log" 2>&1 &
  RECEIVER=$!
  until grep -q Waiting "receiver$receivers.log"; do kill -0 "$RECEIVER"; sleep 0.1; done
}
trap 'kill "$RECEIVER"' EXIT
`
const EPILOGUE = `
until grep -q subscription.test "receiver$receivers.log"; do sleep 0.1; done
`

describe('the guide to notifications', () => {
  const place = makeWorkplace()
  afterAll(() => place.remove())

  test('shows settings that can be used', () => {
    const shown = blocks('yaml')
    expect(shown.length).toBe(1)
    writeFileSync(place.path('page.yaml'), shown[0] ?? '')
    expect(() => loadSettings({ cwd: place.directory, file: 'page.yaml' })).not.toThrow()
  })

  test('shows commands that do what it says', async () => {
    const port = String(await freePort())
    const [serve = '', ...lines] = blocks('sh')
      .flatMap((block) => block.split('\n').filter((line) => line !== ''))
      .map((line) => line.replaceAll('8090', port))
    const server = await place.serve(serve.split(' ').slice(3))
    try {
      const script = lines.map((line) =>
        line.startsWith('npx periplus webhook-receiver')
          ? line.replace('npx periplus', 'receive')
          : line.replaceAll('http://localhost:9999', server.url),
      )
      // the notification must have come before the reader goes on
      const arrived = 'until grep -q hualien receiver1.log; do sleep 0.1; done'
      const at = script.findIndex((line) => line.includes('_bulk'))
      const whole = [PRELUDE, ...script.slice(0, at + 1), arrived, ...script.slice(at + 1), EPILOGUE].join('\n')
      const env = { PATH: process.env.PATH, NODE: process.execPath, MAIN: main, DATA: place.data }
      const { stdout } = await run('bash', ['-c', whole], { cwd: place.directory, env, timeout: PATIENT.timeout })
      expect(stdout).toMatch(/msg_[0-9a-f]{32} .* hit\.create +hualien +DELIVERED +1 +204/)
      expect(stdout.match(/The callback accepted the test message/g)?.length).toBe(2)
      const [first, second] = ['receiver1.log', 'receiver2.log'].map((name) => readFileSync(place.path(name), 'utf8'))
      expect(first).toContain(
        'signature  not checked\n  type       hit.create\n  collection earthquakes\n  document   hualien',
      )
      expect(second).toContain('signature  right\n  type       subscription.test')
    } finally {
      await server.stop()
    }
  })

  test('shows a receiver in Python that checks signatures', async () => {
    const port = String(await freePort())
    const { python, modules } = await ensurePythonModules(receiverModules)
    const server = await place.serve(['--demo', '--egress.allow', `http://localhost:${port}`])
    let receiver: ChildProcess | undefined
    try {
      const trigger = { collections: ['earthquakes'] }
      const subscription = { trigger, callback: `http://localhost:${port}/`, hits: { filter: '' } }
      const times = { starts_at: 0, expires_at: 2145913200 }
      const made = await fetch(`${server.url}/subscriptions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ created_by: 'ann', active: true, title: 'All', ...times, subscription }),
      })
      const { id } = (await made.json()) as { readonly id: string }
      const secret = (await place.run(['subscriptions', 'secret', id])).stdout.trim()
      const program = (blocks('python')[0] ?? '').replace('8090', port)
      const env = { PATH: process.env.PATH, PYTHONPATH: modules, SECRET: secret }
      receiver = spawn(python, ['-c', program], { env, stdio: ['ignore', 'pipe', 'ignore'] })
      let printed = ''
      receiver.stdout?.on('data', (chunk: Buffer) => {
        printed += chunk.toString('utf8')
      })
      // unsigned, until it listens
      const unsigned = (): Promise<number> =>
        fetch(`http://localhost:${port}/`, { method: 'POST', body: '{}' }).then(
          ({ status }) => status,
          () => 0,
        )
      await expect.poll(unsigned, PATIENT).toBe(401)
      expect((await place.run(['subscriptions', 'test', id])).stdout).toContain(
        'The callback accepted the test message',
      )
      await expect.poll(() => printed, PATIENT).toMatch(/^subscription\.test msg_/)
    } finally {
      receiver?.kill()
      await server.stop()
    }
  })
})
