import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { describeEach } from '../support/engines.ts'
import type { RunningServer } from '../support/running-server.ts'
import { tagLogs } from '../support/tag-logs.ts'
import { commands, firstDocuments } from './oracle/tagging-histories.ts'
import type { Command, Document } from './oracle/tagging-model.ts'
import { tryWithin } from './random-index.ts'
import { collections, History, Steps } from './tagging-history.ts'

describeEach(await tagLogs())('tagging on $where', ({ start, share }) => {
  const steps = new Steps()
  let server: RunningServer
  beforeAll(async () => {
    server = await start({ steps: (step) => steps.reach(step) })
  })
  afterAll(() => server?.stop())

  test('any history ends as it does in a plain model', async () => {
    const histories = fc.tuple(firstDocuments(12), commands(Object.keys(collections)))
    const law = async ([documents, history]: [readonly Document[], readonly Command[]]): Promise<void> => {
      const played = new History(server, steps)
      try {
        await played.begin(documents)
        await played.play(history)
        await played.check()
      } finally {
        server = played.server
        steps.next = undefined
        await played.remove()
      }
    }
    await tryWithin(histories, law, 60, 30_000 * share)
  })
})
