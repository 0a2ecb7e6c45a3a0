import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { clusterUrl } from '../../test/support/cluster-url.ts'
import { PATIENT } from '../../test/support/patience.ts'

const script = fileURLToPath(new URL('./cluster.ts', import.meta.url))

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

/** Returns the URL printed when it is ready. */
const urlOf = (run: Run): Promise<string> =>
  vi.waitFor(() => {
    const url = /is ready at (\S+)\n/.exec(run.output())?.[1]
    expect(url, run.output()).toBeDefined()
    return url ?? ''
  }, PATIENT)

const isAnswering = (url: string): Promise<boolean> =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  )

describe('npm run cluster', () => {
  it.each([
    [['--help'], 0, '--elasticsearch'],
    [['--nodes', 'many'], 1, "--nodes must be an integer from 1 to 9, got 'many'"],
    [['--elasticsearch', '--nodes', '2'], 1, '--nodes is for OpenSearch only'],
    [['--colour'], 1, 'See npm run cluster -- --help'],
  ])('%j', async (args, code, text) => {
    const run = start(...args)
    expect(await run.ended).toBe(code)
    expect(run.output()).toContain(text)
    expect(run.output()).not.toContain('    at ')
  })

  it.skipIf(clusterUrl === '')('starts a node, tells how to use it, and ends it when asked', async () => {
    const run = start('--port', '0', '--heap', '256')
    const url = await urlOf(run)
    expect(await isAnswering(url)).toBe(true)
    // the lines are printed one by one
    await expect.poll(run.output).toContain(`npm start -- --engine cluster --cluster-url ${url}`)
    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(0)
    expect(await isAnswering(url)).toBe(false)
  })

  it.skipIf(clusterUrl === '')('leaves no node behind when it is killed', async () => {
    const run = start('--port', '0', '--heap', '256')
    const url = await urlOf(run)
    run.child.kill('SIGKILL')
    await vi.waitFor(async () => expect(await isAnswering(url)).toBe(false), PATIENT)
  })
})
