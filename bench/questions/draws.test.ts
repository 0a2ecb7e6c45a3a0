import { expect, it } from 'vitest'
import { FIRST_DAY, LAST_DAY } from '../data/documents.ts'
import { allQuestions } from './all-questions.ts'
import { drawsOf } from './draws.ts'
import type { Question } from './question.ts'

const options = { seed: 1, documents: 1_000, repetitions: 5, time: 'none' } as const
const question: Question = {
  name: 'any',
  group: 'areas',
  expects: 'count',
  tileZoom: 8,
  periplus: () => ({ method: 'GET', path: '/' }),
}

it('draws the same for the same seed, whatever the time filter', () => {
  const draws = drawsOf(question, options)
  expect(drawsOf(question, options)).toEqual(draws)
  const filtered = drawsOf(question, { ...options, time: 'changing' })
  expect(filtered.map(({ time: _, ...others }) => others)).toEqual(draws)
  expect(draws.every(({ tile, time }) => tile.z === 8 && time === undefined)).toBe(true)
})

it('has time filters that exclude nothing, or a little', () => {
  const constant = drawsOf(question, { ...options, time: 'constant' }).map(({ time }) => time)
  expect(new Set(constant.map((time) => time?.from))).toEqual(new Set([FIRST_DAY]))
  const changing = drawsOf(question, { ...options, time: 'changing' }).map(({ time }) => time)
  expect(new Set(changing.map((time) => time?.from)).size).toBe(5)
  for (const { from = 0, to = 0 } of changing.map((time) => ({ ...time }))) {
    expect(from - FIRST_DAY).toBeLessThan(86_400_000)
    expect(to).toBeGreaterThan(LAST_DAY)
  }
})

it('draws closed rings of 24 and 200 vertices', () => {
  for (const ringVertices of [24, 200] as const) {
    for (const { ring } of drawsOf({ ...question, ringVertices }, options)) {
      expect(ring).toHaveLength(ringVertices + 1)
      expect(ring.at(-1)).toEqual(ring[0])
    }
  }
})

it('has questions with names of their own, in all groups', () => {
  expect(new Set(allQuestions.map(({ name }) => name)).size).toBe(allQuestions.length)
  expect(new Set(allQuestions.map(({ group }) => group)).size).toBe(7)
})
