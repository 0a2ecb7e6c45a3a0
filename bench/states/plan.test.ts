import { expect, test } from 'vitest'
import { allQuestions } from '../questions/all-questions.ts'
import type { TimeFilter } from '../questions/question.ts'
import type { StateName } from '../report/result.ts'
import { FULL, QUICK, questionsIn, stepsOf } from './plan.ts'

const names = (state: StateName, time: TimeFilter): readonly string[] =>
  questionsIn(allQuestions, state, time).map(({ name }) => name)

test('all questions are asked at rest without a time filter', () => {
  expect(names('rest', 'none')).toEqual(allQuestions.map(({ name }) => name))
})

test('exports are asked once, and one document by id has no time filter', () => {
  const withoutExports = allQuestions.filter(({ onlyAtRest }) => onlyAtRest !== true).map(({ name }) => name)
  expect(withoutExports).toHaveLength(allQuestions.length - 2)
  expect(names('live 1000/s', 'none')).toEqual(withoutExports)
  expect(names('rest', 'changing')).toEqual(withoutExports.filter((name) => name !== 'one document by id'))
})

test('right after the load only the dataset that was loaded last is asked', () => {
  expect(names('loaded', 'none').filter((name) => /^(four indices|flights|areas)/.test(name))).toEqual([])
  expect(names('loaded', 'none')).toContain('count all')
})

test('steps are the questions of all tables of a part', () => {
  const count = allQuestions.length
  expect(stepsOf(FULL, 'rest', allQuestions)).toBe(count + (count - 3) + (count - 3))
  expect(stepsOf(QUICK, 'rest', allQuestions)).toBe(count + (count - 3))
  expect(stepsOf(FULL, 'writes', allQuestions)).toBe(0)
})
