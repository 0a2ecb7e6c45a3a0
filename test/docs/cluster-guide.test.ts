import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { makeWorkplace } from '../cli/periplus.ts'
import { clusterUrl } from '../support/cluster-url.ts'

// every command is a process that has to start first
const root = fileURLToPath(new URL('../..', import.meta.url))
const guide = readFileSync(path.join(root, 'docs', 'cluster.md'), 'utf8')
const commands = [...guide.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, text = '']) =>
  text.split('\n').filter((line) => line.startsWith('npx periplus ')),
)

/** The cluster is shared: what the guide makes has names of its own here. */
const name = `t-guide-${randomUUID().slice(0, 8)}`
const references = `${name}-references`

const wordsOf = (command: string): readonly string[] =>
  command
    .split(' ')
    .slice(2)
    .map((word) =>
      word.startsWith('examples/') ? path.join(root, word) : word.replace(/^(?:buoys|waves)/, `${name}-$&`),
    )
    .flatMap((word) =>
      word === 'http://127.0.0.1:9200' ? [clusterUrl, '--set', `cluster.referenceIndex=${references}`] : [word],
    )

describe('the commands of the guide to clusters', () => {
  const workplace = makeWorkplace()

  afterAll(async () => {
    workplace.remove()
    await fetch(`${clusterUrl}/${name}-waves,${name}-buoys,${references}?ignore_unavailable=true`, { method: 'DELETE' })
  })

  test('are there', () => {
    expect(commands.length).toBeGreaterThan(5)
  })

  test.each(commands)('%s', async (command) => {
    const [line = '', output] = command.split(' > ')
    const outcome = await workplace.run(wordsOf(line))
    expect(outcome, outcome.stderr).toMatchObject({ code: 0 })
    if (output !== undefined) writeFileSync(workplace.path(output), outcome.stdout)
  })

  test('leave the documents and the collections in the cluster', async () => {
    const countIn = async (index: string): Promise<unknown> => (await fetch(`${clusterUrl}/${index}/_count`)).json()
    expect(await countIn(`${name}-waves`)).toMatchObject({ count: 10 })
    expect(await countIn(`${name}-buoys`)).toMatchObject({ count: 10 })
    expect(await countIn(references)).toMatchObject({ count: 3 })
  })
})
