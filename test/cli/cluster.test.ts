import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clusterUrl } from '../support/cluster-url.ts'
import { makeWorkplace, type Workplace } from './periplus.ts'

// every command is a process that has to start first
const name = `t-cli-cluster-${randomUUID()}`
const references = `.${name}`
const onCluster = ['--engine', 'cluster', '--cluster-url', clusterUrl, '--set', `cluster.referenceIndex=${references}`]

let place: Workplace
beforeAll(() => {
  place = makeWorkplace()
})
afterAll(async () => {
  place.remove()
  await fetch(`${clusterUrl}/${name},${references}?ignore_unavailable=true`, { method: 'DELETE' })
})

describe('commands on a cluster', () => {
  it('load, list and examine without a server and without a data directory', async () => {
    writeFileSync(place.path('a.ndjson'), '{"id":"1","time":"2024-01-01T00:00:00Z","location":"1,2"}\n')
    const loaded = await place.run(['load', 'a.ndjson', '--index', name, '--collection', name, ...onCluster])
    expect(loaded).toMatchObject({ code: 0 })
    expect((await place.run(['index', 'list', ...onCluster])).stdout).toMatch(new RegExp(`${name} +1\\n`))
    expect((await place.run(['collections', 'list', ...onCluster])).stdout).toContain(name)
    const { code, stdout } = await place.run(['doctor', '--set', 'server.port=0', ...onCluster])
    expect(code).toBe(0)
    expect(stdout).toMatch(/ok {4}the cluster responds: OpenSearch /)
    expect(stdout).toContain('1 collections')
    expect(existsSync(place.data)).toBe(false)
  })

  it('say what is wrong with it', async () => {
    const away = ['--cluster-url', 'http://someone:hush@127.0.0.1:1']
    const doctor = await place.run(['doctor', '--set', 'server.port=0', ...away])
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining('No node of the cluster can be reached') })
    const list = await place.run(['index', 'list', ...away])
    expect(list).toMatchObject({ code: 1, stderr: expect.stringContaining('(setting cluster.urls)') })
    for (const { stdout, stderr } of [doctor, list]) expect(stdout + stderr).not.toContain('hush')
    const missing = await place.run(['index', 'list', ...onCluster, '--set', 'cluster.caFile=none.pem'])
    expect(missing.stderr).toBe('The file none.pem cannot be read: check the path (setting cluster.caFile).\n')
  })
})

describe('a server on a cluster', () => {
  it('starts before the cluster, says so, and serves as soon as it is there', async () => {
    const road = await makeRoad()
    const args = ['--engine', 'cluster', '--cluster-url', road.url, '--set', `cluster.referenceIndex=${references}`]
    const server = await place.serve(args)
    try {
      expect(server.output()).toContain('The cluster is not usable yet. No node of the cluster can be reached')
      const ready = await fetch(`${server.url}/readyz`)
      expect(ready.status).toBe(503)
      expect(await ready.json()).toMatchObject({
        error: 'ENGINE_UNAVAILABLE',
        message: expect.stringContaining('(setting cluster.urls)'),
      })
      const count = await fetch(`${server.url}/explore/${name}/_count`)
      expect([count.status, count.headers.get('retry-after')]).toEqual([503, '5'])
      expect((await fetch(`${server.url}/livez`)).status).toBe(200)

      await road.open()
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
      expect(await (await fetch(`${server.url}/explore/${name}/_count`)).json()).toMatchObject({ totalnb: 1 })

      await road.close()
      expect((await fetch(`${server.url}/explore/${name}/_count`)).status).toBe(503)
      await road.open()
      expect((await fetch(`${server.url}/explore/${name}/_count`)).status).toBe(200)
    } finally {
      expect(await server.stop()).toBe(0)
      await road.close()
    }
  })

  it('loads the sample data once', async () => {
    const first = await place.serve(['--demo', ...onCluster])
    try {
      expect(first.output()).toContain('Loaded the sample collection earthquakes.')
      expect(first.output()).toMatch(/cluster {4}OpenSearch .*, status (green|yellow)\n/)
      expect(await (await fetch(`${first.url}/explore/earthquakes/_count`)).json()).toMatchObject({ totalnb: 1707 })
      await fetch(`${first.url}/collections/earthquakes`, { method: 'DELETE' })
      await fetch(`${first.url}/index/earthquakes`, { method: 'DELETE' })
    } finally {
      await first.stop()
    }
    const second = await place.serve(['--demo', ...onCluster])
    try {
      expect(second.output()).not.toContain('earthquakes')
    } finally {
      await second.stop()
    }
  })
})

/** A way to the cluster that can be opened and closed. */
async function makeRoad() {
  const { hostname, port } = new URL(clusterUrl)
  let gate: Server | undefined
  let own = 0
  const open = async (): Promise<void> => {
    gate = createServer((near) => {
      const far = connect(Number(port), hostname)
      near.pipe(far).pipe(near)
      for (const end of [near, far]) end.on('error', () => [near, far].map((each) => each.destroy()))
      sockets.add(near)
      near.on('close', () => sockets.delete(near))
    })
    gate.listen(own, '127.0.0.1')
    await once(gate, 'listening')
    const address = gate.address()
    own = typeof address === 'object' && address !== null ? address.port : own
  }
  const sockets = new Set<{ destroy(): unknown }>()
  const close = async (): Promise<void> => {
    if (gate?.listening !== true) return
    gate.close()
    for (const socket of sockets) socket.destroy()
    await once(gate, 'close')
  }
  await open()
  await close()
  return { url: `http://127.0.0.1:${own}`, open, close }
}
