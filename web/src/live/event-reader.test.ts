import { expect, test } from 'vitest'
import { parseEvent, readEvents } from './event-reader.ts'

const TEXT =
  'retry: 1000\n\nid: a.1\nevent: state\ndata: {"total":3}\n\n: still here\n\nid: a.2\nevent: change\ndata: {"total":4}\n\n'

test.each([1, 7, 1000])('events are read from pieces of %d bytes', async (size) => {
  const bytes = new TextEncoder().encode(TEXT)
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
      controller.close()
    },
  })
  const found = []
  for await (const event of readEvents(body)) found.push(event)
  expect(found).toEqual([
    { id: 'a.1', kind: 'state', data: '{"total":3}' },
    { id: 'a.2', kind: 'change', data: '{"total":4}' },
  ])
})

test('comments and times to wait are no events', () => {
  expect(parseEvent(': still here')).toBeUndefined()
  expect(parseEvent('retry: 1000')).toBeUndefined()
})
