import { expect, test } from 'vitest'
import type { Connection } from './connection.ts'
import { describe as describeState, followTag, readState } from './tag-follow.ts'

const state = (more: object) => ({
  id: 'i',
  action: 'ADD',
  updated: 0,
  failed: 0,
  nbRequest: 0,
  propagated: 1,
  ...more,
})

test.each([
  [{ propagated: -1 }, 'waiting'],
  [{ updated: 1200 }, '1,200 documents'],
  [{ updated: 5, propagated: 10, nbRequest: 3 }, '5 documents, 3 of 10 values'],
  [{ updated: 1 }, '1 document'],
  [{ updated: 5, failed: 1 }, '5 documents, 1 failure'],
  [{ failed: 2 }, '0 documents, 2 failures'],
])('%j is told as "%s"', (more, text) => {
  expect(describeState(readState(state(more)))).toBe(text)
})

/** A server that advances by one step per request. */
function advancing(...steps: readonly number[]): Pick<Connection, 'send' | 'where'> & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    where: 'the server',
    asked,
    send: async (_method, path) => {
      asked.push(path)
      return { status: 200, text: JSON.stringify(state({ progress: steps[asked.length - 1] ?? 100 })) }
    },
  }
}

test('asks until progress is 100', async () => {
  const server = advancing(0, 50, 99.99)
  const done = await followTag(server, 'my trips', 'i', {
    signal: new AbortController().signal,
    output: { write: () => {} },
  })
  expect(done.progress).toBe(100)
  expect(server.asked).toEqual(Array.from({ length: 4 }, () => '/status/my%20trips/_tag/i'))
})

test('an interrupted wait says how to ask later', async () => {
  const endless: Pick<Connection, 'send' | 'where'> = {
    where: 'the server',
    send: async () => ({ status: 200, text: JSON.stringify(state({ progress: 1 })) }),
  }
  const interruption = new AbortController()
  const waiting = followTag(endless, 'trips', 'i', { signal: interruption.signal, output: { write: () => {} } })
  interruption.abort()
  await expect(waiting).rejects.toThrow('periplus tags status trips i')
})
