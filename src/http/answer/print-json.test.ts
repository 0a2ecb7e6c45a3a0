import { expect, it } from 'vitest'
import { countRounds } from '../../turn.fixture.ts'
import { printJson, printJsonInTurns } from './print-json.ts'

const list = Array.from({ length: 1_000 }, (_, i) =>
  i % 7 === 0 ? undefined : { n: i, text: `"${i}"`, none: undefined },
)

it.each([
  ['a long list', { total: 3, hits: list, links: {} }],
  ['two of them', { 'a"b': list, b: list }],
  ['members without value', { a: undefined, hits: list, b: null }],
  ['a list by itself', list],
  ['no list', { a: 1, b: [1, 2] }],
  ['a text', 'text'],
  ['nothing', null],
])('%s is printed as in one go', async (_name, value) => {
  expect(await printJsonInTurns(value, false)).toBe(printJson(value, false))
  expect(await printJsonInTurns(value, true)).toBe(printJson(value, true))
})

it('a large answer gives way', async () => {
  const document = { text: 'word '.repeat(2_000), numbers: Array.from({ length: 2_000 }, (_, i) => i / 7) }
  const hits = Array.from({ length: 500 }, () => document)
  expect(await countRounds(() => printJsonInTurns({ hits }, false))).toBeGreaterThan(3)
})
