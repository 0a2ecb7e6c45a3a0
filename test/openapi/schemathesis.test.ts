import { describe, expect, test } from 'vitest'
import { type GuardedServer, startGuardedServer } from '../http/access/guarded-server.ts'
import { isThorough } from '../support/thorough.ts'
import { checkers } from './checkers.ts'
import { type CheckReport, type CheckRun, runSchemathesis } from './run-checkers.ts'
import { loadSample } from './sample.ts'

/** The same requests every time; another one is tried by hand: `SCHEMATHESIS_SEED=7 npm test -- test/openapi`. */
const seed = Number(process.env.SCHEMATHESIS_SEED ?? 20260101)

/** Nothing but this machine is called: generated callbacks lead nowhere, and no name is looked up for them. Streams end. */
const HARMLESS = { 'egress.only': 'true', 'log.level': 'error', 'limits.liveMs': '50' }

/** Share of the operations on which all cases of a schema are tried, which takes most of the time. */
const COVERED = isThorough ? 1 : 1 / 4

/** What the document says, all that schemathesis can think of, and a server that is what the document says. */
describe.skipIf(checkers === undefined)(`the OpenAPI document is true, seed ${seed}`, () => {
  const check = (server: GuardedServer, run: Omit<CheckRun, 'seed' | 'covered'>): Promise<CheckReport> => {
    if (checkers === undefined) throw new Error('schemathesis is not there')
    return runSchemathesis(checkers, server.base, { seed, covered: COVERED, ...run })
  }
  const expectNothing = ({ exitCode, output, tested, selected, cases }: CheckReport, least: number): void => {
    expect(exitCode, output).toBe(0)
    expect(tested, output).toBe(selected)
    expect(cases, output).toBeGreaterThan(least)
  }

  test('of a server with data', async () => {
    const server = await startGuardedServer(HARMLESS)
    try {
      server.carryOut()
      expectNothing(await check(server, { sample: await loadSample(server.base) }), isThorough ? 5000 : 1000)
    } finally {
      await server.stop()
    }
  })

  test('of an empty server', async () => {
    const server = await startGuardedServer(HARMLESS)
    try {
      expectNothing(await check(server, { args: ['--phases', 'fuzzing', '--max-examples', '2'] }), 100)
    } finally {
      await server.stop()
    }
  })

  test('of a server that asks who calls', async () => {
    const server = await startGuardedServer({
      ...HARMLESS,
      'auth.modes': 'apikey',
      'auth.failedLogins.atOnce': '1000000',
    })
    try {
      const key = server.addKey({ roles: ['role/periplus/admin'] })
      const given = ['-H', `X-API-Key: ${key}`, '--generation-with-security-parameters', 'false']
      const args = ['--phases', 'fuzzing', '--mode', 'positive', '--max-examples', '2', ...given]
      const sample = await loadSample(server.base, { 'x-api-key': key })
      expectNothing(await check(server, { args, sample }), 100)
    } finally {
      await server.stop()
    }
  })
})
