import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { geometricMean, summarise, timed, writeBulk } from './timing.ts'

test('quantiles of unsorted times are interpolated', () => {
  expect(summarise([4, 1, 3, 2, 5])).toEqual({ median: 3, p25: 2, p75: 4, p95: 4.8, p99: 4.96, repetitions: 5 })
  expect(summarise([1, 4, 2, 3]).median).toBe(2.5)
})

test('a single time has no spread', () => {
  expect(summarise([7])).toEqual({ median: 7, p25: 7, p75: 7, p95: 7, p99: 7, repetitions: 1 })
})

test('nothing measured is not a number', () => {
  expect(summarise([])).toMatchObject({ median: Number.NaN, repetitions: 0 })
})

test('the geometric mean of opposite ratios is one', () => {
  expect(geometricMean([4, 0.25])).toBeCloseTo(1)
  expect(geometricMean([2, 8])).toBeCloseTo(4)
})

let server: Server
let url: string

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/packed') return response.setHeader('content-encoding', 'gzip').end(gzipSync('answer'))
    if (request.url === '/rejected') return response.end('{"took":1,"errors":true,"items":[]}')
    if (request.url === '/accepted') return response.end('{"took":1,"errors":false,"items":[]}')
    response.statusCode = 404
    return response.end('nothing here')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

test('an answer is decompressed and timed', async () => {
  const { ms, text } = await timed(`${url}/packed`, {})
  expect(text).toBe('answer')
  expect(ms).toBeGreaterThan(0)
})

test('an error answer is thrown with its text', async () => {
  await expect(timed(`${url}/other`, {})).rejects.toThrow(/returned 404 nothing here/)
})

test('rejected documents are an error', async () => {
  await writeBulk(`${url}/accepted`, Buffer.from('{}\n'))
  await expect(writeBulk(`${url}/rejected`, Buffer.from('{}\n'))).rejects.toThrow('_bulk rejected documents')
})
