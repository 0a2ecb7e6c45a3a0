import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { makeTopic, sharedBrokers, topicSettings } from '../../test/support/kafka.ts'
import { PATIENT } from '../../test/support/patience.ts'

const script = fileURLToPath(new URL('./kafka.ts', import.meta.url))
const brokers = await sharedBrokers()

interface Run {
  readonly child: ChildProcess
  readonly output: () => string
  readonly ended: Promise<number | null>
}

const runs: Run[] = []
afterEach(async () => {
  for (const { child } of runs) child.kill('SIGKILL')
  await Promise.all(runs.splice(0).map((run) => run.ended))
})

function start(...args: readonly string[]): Run {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const keep = (chunk: Buffer): void => {
    output += chunk.toString('utf8')
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const run = { child, output: () => output, ended: once(child, 'close').then(([code]) => code) }
  runs.push(run)
  return run
}

/** Returns the address printed when it is ready. */
const addressOf = (run: Run): Promise<string> =>
  vi.waitFor(() => {
    const address = /is ready at (\S+)\n/.exec(run.output())?.[1]
    expect(address, run.output()).toBeDefined()
    return address ?? ''
  }, PATIENT)

function isAnswering(address: string): Promise<boolean> {
  const [host = '', port = ''] = address.split(':')
  return new Promise((told) => {
    const socket = connect(Number(port), host)
    socket.once('connect', () => {
      socket.destroy()
      told(true)
    })
    socket.once('error', () => told(false))
  })
}

describe('npm run kafka', () => {
  it.each([
    [['--help'], 0, '--data DIR'],
    [['--port', 'any'], 1, "--port must be an integer from 0 to 65535, got 'any'"],
    [['--colour'], 1, 'See npm run kafka -- --help'],
  ])('%j', async (args, code, text) => {
    const run = start(...args)
    expect(await run.ended).toBe(code)
    expect(run.output()).toContain(text)
    expect(run.output()).not.toContain('    at ')
  })

  it.skipIf(brokers.length === 0)('keeps topics where it is told, and ends when asked', async () => {
    const data = await mkdtemp(join(tmpdir(), 'periplus-kafka-data-'))
    try {
      const first = start('--port', '0', '--data', data)
      const address = await addressOf(first)
      // the lines are printed one by one
      await expect.poll(first.output).toContain(`--set delivery.kafka.brokers=${address}`)
      await makeTopic([address], 'kept', { settings: { 'retention.ms': '12345' } })
      first.child.kill('SIGTERM')
      expect(await first.ended).toBe(0)
      expect(await isAnswering(address)).toBe(false)
      expect(await readdir(data)).toContain('kept-0')
      const second = start('--port', '0', '--data', data)
      expect((await topicSettings([await addressOf(second)], 'kept')).get('retention.ms')).toBe('12345')
      second.child.kill('SIGTERM')
      expect(await second.ended).toBe(0)
    } finally {
      await rm(data, { recursive: true, force: true })
    }
  })

  it.skipIf(brokers.length === 0)('leaves no broker behind when it is killed', async () => {
    const run = start('--port', '0')
    const address = await addressOf(run)
    expect(await isAnswering(address)).toBe(true)
    run.child.kill('SIGKILL')
    await vi.waitFor(async () => expect(await isAnswering(address)).toBe(false), PATIENT)
  })

  it.skipIf(brokers.length === 0)('refuses a port that is taken', async () => {
    const port = brokers[0]?.split(':')[1] ?? ''
    const run = start('--port', port)
    expect(await run.ended).toBe(1)
    expect(run.output()).toContain(`Port ${port} is in use`)
  })
})
