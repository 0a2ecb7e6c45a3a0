import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PATIENT } from '../support/patience.ts'
import { startCommand } from './follower.ts'
import { makeWorkplace, type RunningServer, type Workplace } from './periplus.ts'

const ships = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) => `{"id":${i},"time":"2024-05-01","location":"${i % 80},2","name":"${'x'.repeat(500)}"}\n`,
  ).join('')

describe('a load that is interrupted', () => {
  let place: Workplace
  let server: RunningServer
  beforeAll(async () => {
    place = makeWorkplace()
    server = await place.serve()
  })
  afterAll(async () => {
    await server?.stop()
    place?.remove()
  })

  const indices = async (): Promise<readonly string[]> =>
    ((await (await fetch(`${server.url}/index/_cat/indices?format=json`)).json()) as { index: string }[])
      .map(({ index }) => index)
      .sort()

  /** Loads from standard input, which stays open, until documents have been written. */
  const begin = async (...args: readonly string[]) => {
    const before = await indices()
    const command = startCommand(place, ['load', '-', ...args])
    command.process.stdin?.write(ships(20_000))
    await vi.waitFor(async () => {
      const [index] = (await indices()).filter((name) => !before.includes(name))
      const counted = (await (await fetch(`${server.url}/index/${index}/_count`)).json()) as { count?: number }
      expect(counted.count).toBeGreaterThan(0)
    }, PATIENT)
    return command
  }

  it('keeps nothing of a new index', async () => {
    const command = await begin('--index', 'ships')
    expect(await command.stop('SIGINT')).toBe(1)
    expect(command.errors()).toMatch(/Nothing is kept: index ships is dropped\.\n.*Interrupted\./s)
    expect(await indices()).toEqual([])
  })

  it('leaves an index that it was to replace; the next load removes what a killed one left behind', async () => {
    expect((await place.run(['load', '-', '--index', 'ships'], ships(3))).code).toBe(0)
    const interrupted = await begin('--index', 'ships', '--replace')
    expect(await interrupted.stop('SIGTERM')).toBe(1)
    expect(await indices()).toEqual(['ships'])

    const killed = await begin('--index', 'ships', '--replace')
    await killed.stop('SIGKILL')
    expect(await indices()).toEqual([expect.stringMatching(/^loading-[0-9a-f]{8}-ships$/), 'ships'])
    const again = await place.run(['load', '-', '--index', 'ships', '--replace'], ships(5))
    expect([again.code, again.stderr]).toEqual([0, expect.stringMatching(/Dropped index loading-\S+-ships, which an/)])
    expect(await indices()).toEqual(['ships'])
    const { count } = (await (await fetch(`${server.url}/index/ships/_count`)).json()) as { count: number }
    expect(count).toBe(5)
  })
})
