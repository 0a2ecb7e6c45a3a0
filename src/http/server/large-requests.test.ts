import fastify from 'fastify'
import { expect, it } from 'vitest'
import { separateLargeRequests } from './large-requests.ts'

it('handlers of large requests start in separate rounds of the event loop, those of small ones at once', async () => {
  const app = fastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  separateLargeRequests(app)
  let round = 0
  let counting = true
  const count = (): void => {
    round++
    if (counting) setImmediate(count)
  }
  count()
  const rounds = new Map<string, number>()
  app.post('/:name', async (request) => {
    rounds.set((request.params as { name: string }).name, round)
    return 'done'
  })
  await app.ready()
  const send = (name: string, bytes: number) =>
    app.inject({ method: 'POST', url: `/${name}`, headers: { 'content-type': 'x/y' }, payload: Buffer.alloc(bytes) })
  const names = ['a', 'b', 'c', 'd']
  const large = names.map((name) => send(name, 20_000))
  const small = names.map((name) => send(`small-${name}`, 10))
  for (const { payload } of await Promise.all([...large, ...small])) expect(payload).toBe('done')
  counting = false
  expect(new Set(names.map((name) => rounds.get(name))).size).toBe(4)
  const last = rounds.get('d') ?? 0
  for (const name of names) expect(rounds.get(`small-${name}`)).toBeLessThan(last)
  await app.close()
})
