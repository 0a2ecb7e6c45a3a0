import { expect, test } from 'vitest'
import type { Draw, Question } from '../questions/question.ts'
import { type Asked, askInTurns, type Turns } from './in-turns.ts'

const question: Question = {
  name: 'count all',
  group: 'counts',
  expects: 'count',
  periplus: () => ({ method: 'GET', path: '/' }),
}

const drawOf = (n: number): Draw => ({
  kind: 'kind-1',
  owner: 'owner-1',
  id: String(n),
  range: { from: 0, to: 1 },
  tile: { z: 0, x: 0, y: 0 },
  ring: [],
  cluster: { lon: 0, lat: 0, spread: 1 },
  words: { frequent: 'sea', rare: 'whale', other: 'reef' },
})

const draws = (count: number, first = 0): readonly Draw[] => Array.from({ length: count }, (_, n) => drawOf(first + n))

/** Systems whose requests take a second of a clock of their own. */
function arranged() {
  const log: string[] = []
  let now = 0
  const system = (name: string, count: (id: number) => number | undefined): Asked => ({
    name,
    ask: async (_, { id }) => {
      log.push(`${name} ${id}`)
      now += 1000
      const answered = count(Number(id))
      return answered === undefined ? undefined : { ms: 1, bytes: 2, answer: { kind: 'count', count: answered } }
    },
  })
  const turns = (changed: Partial<Turns> = {}): Turns => ({
    warmUp: [],
    warmUpMs: 0,
    draws: draws(4),
    budgetMs: 3_600_000,
    differenceOf: (a, b) => (JSON.stringify(a) === JSON.stringify(b) ? undefined : 'other count'),
    clock: () => now,
    ...changed,
  })
  return { log, system, turns }
}

test('systems are asked alternately, each first in its turn', async () => {
  const { log, system, turns } = arranged()
  const { replies, differences } = await askInTurns([system('A', () => 5), system('B', () => 5)], question, turns())
  expect(log).toEqual(['A 0', 'B 0', 'B 1', 'A 1', 'A 2', 'B 2', 'B 3', 'A 3'])
  expect([...replies].map(([name, { length }]) => [name, length])).toEqual([
    ['A', 4],
    ['B', 4],
  ])
  expect(differences).toEqual([])
})

test('the budget ends the repetitions, but not before the third unless that takes too long', async () => {
  const { system, turns } = arranged()
  const repetitions = async (budgetMs: number): Promise<number | undefined> => {
    const { replies } = await askInTurns([system('A', () => 5)], question, turns({ draws: draws(100), budgetMs }))
    return replies.get('A')?.length
  }
  expect(await repetitions(100)).toBe(1)
  expect(await repetitions(700)).toBe(3)
  expect(await repetitions(7_500)).toBe(8)
  expect(await repetitions(1_000_000)).toBe(100)
})

test('the warm-up is limited in time and does not count', async () => {
  const { log, system, turns } = arranged()
  const systems = [system('A', () => 5), system('B', () => 5)]
  const { replies } = await askInTurns(systems, question, turns({ warmUp: draws(9, 100), warmUpMs: 2_000 }))
  expect(log.slice(0, 5)).toEqual(['A 100', 'A 101', 'B 100', 'B 101', 'A 0'])
  expect(replies.get('A')).toHaveLength(4)
})

test('differing answers are collected and the rest is counted', async () => {
  const { system, turns } = arranged()
  const systems = [system('A', (n) => n), system('B', (n) => (n === 1 ? 9 : n)), system('C', () => -1)]
  const { replies, differences } = await askInTurns(systems, question, turns({ draws: draws(5) }))
  expect(differences).toEqual([
    'C, repetition 1: other count',
    'C, repetition 2: other count',
    'C, repetition 3: other count',
    'C, 2 more',
    'B, repetition 2: other count',
  ])
  expect(replies.get('C')).toHaveLength(5)
})

test('a system without syntax is left out', async () => {
  const { log, system, turns } = arranged()
  const systems = [system('A', () => undefined), system('B', () => 5), system('C', () => 6)]
  const { replies, differences } = await askInTurns(systems, question, turns())
  expect([...replies.keys()]).toEqual(['B', 'C'])
  expect(log.filter((line) => line.startsWith('A'))).toHaveLength(1)
  expect(differences[0]).toBe('C, repetition 1: other count')
})

test('a system that fails is left out and the others go on', async () => {
  const { system, turns } = arranged()
  const failing: Asked = { name: 'B', ask: () => Promise.reject(new Error('too many buckets')) }
  const { replies, differences } = await askInTurns([system('A', () => 5), failing], question, turns())
  expect(differences).toEqual(['B, failed: too many buckets'])
  expect([...replies.keys()]).toEqual(['A'])
  expect(replies.get('A')).toHaveLength(4)
})
