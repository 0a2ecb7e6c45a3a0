import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasCount, startFollower } from './follower.ts'
import { makeWorkplace, type RunningServer, type Workplace } from './periplus.ts'

const quakes = (first: number, end: number, mag: number): string =>
  Array.from({ length: end - first }, (_, i) => `${first + i},2024-05-01T10:00:00Z,${mag},${i},2\n`).join('')

describe('load --follow of a URL', () => {
  let place: Workplace
  let server: RunningServer
  let host: string
  let content = 'id,time,mag,latitude,longitude\n'
  const web = createServer((request, response) => {
    const [, first = '0', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const body = Buffer.from(content).subarray(Number(first), Number(last) + 1)
    const range = `bytes ${first}-${Number(first) + body.length - 1}/${Buffer.byteLength(content)}`
    if (body.length === 0) response.writeHead(416).end()
    else response.writeHead(206, { 'content-range': range }).end(body)
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    host = `127.0.0.1:${(web.address() as AddressInfo).port}`
    place = makeWorkplace()
    server = await place.serve()
  })
  afterAll(async () => {
    web.close()
    await server?.stop()
    place?.remove()
  })

  const start = () =>
    startFollower(
      place,
      `http://${host}/quakes.csv?day=1`,
      '--interval',
      '100ms',
      '--set',
      `egress.allow=http://${host}`,
    )

  it('loads what is appended, goes on after a restart, and replaces documents of a file that is written anew', async () => {
    content += quakes(0, 10, 4)
    let follower = start()
    await hasCount(server, 'quakes', 10, follower)
    content += `${quakes(10, 12, 4)}12,no date,4,1,2\n`
    await hasCount(server, 'quakes', 12, follower)
    expect(await follower.stop('SIGINT')).toBe(3)
    expect(readFileSync(place.path('quakes.csv.rejects.ndjson'), 'utf8')).toContain('no date')

    content += quakes(13, 15, 4)
    follower = start()
    await hasCount(server, 'quakes', 14, follower)
    expect(follower.errors()).toMatch(/Going on at byte \d+ of http/)
    content = `id,time,mag,latitude,longitude\n${quakes(10, 20, 5)}`
    await hasCount(server, 'quakes', 20, follower)
    expect(follower.errors()).toContain('was replaced or truncated: reading it from the beginning.')
    const found = await (await fetch(`${server.url}/explore/quakes/_count?f=mag:eq:5`)).json()
    expect(found).toMatchObject({ totalnb: 10 })
    expect(await follower.stop()).toBe(0)
  })

  it('refuses URLs that must not be called, and what it cannot read', async () => {
    for (const [args, text] of [
      [[`http://${host}/other.csv`], 'hosts of this machine and its network are listed in the setting egress.allow'],
      [['http://no-such-host.invalid/x.csv', '--set', 'egress.allow=10.0.0.0/8'], 'its host name does not resolve'],
      [[`http://${host}/quakes.csv`, '--interval', '1ms'], 'Use a duration such as 500ms'],
      [['-', 'x.csv'], '--follow needs one file'],
    ] as const) {
      const { code, stderr } = await place.run(['load', ...args, '--follow'])
      expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining(text)])
      expect(code).not.toBe(0)
    }
  })
})
