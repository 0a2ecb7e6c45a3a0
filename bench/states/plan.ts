import type { Question, TimeFilter } from '../questions/question.ts'
import { PARTS, type PartName, STATES, type StateName } from '../report/result.ts'

/** What a run measures. */
export interface Plan {
  readonly parts: readonly PartName[]
  /** Time filters of the questions in each state. */
  readonly times: Readonly<Record<StateName, readonly TimeFilter[]>>
}

/** Dashboards always send a time filter, so every state is measured with one that changes. */
const BOTH = ['none', 'changing'] as const

export const FULL: Plan = {
  parts: PARTS,
  times: {
    loaded: BOTH,
    rest: ['none', 'constant', 'changing'],
    'live 200/s': BOTH,
    'live 1000/s': BOTH,
    'after one delete': BOTH,
    'after one tag': BOTH,
    'after a restart': ['constant'],
    cached: ['none'],
  },
}

/** For changes of code: at rest, while documents arrive, and writes. */
export const QUICK: Plan = {
  parts: ['load', 'rest', 'live 1000/s', 'writes'],
  times: { ...FULL.times, rest: BOTH, 'live 1000/s': ['changing'] },
}

/** Groups whose answers the result cache keeps. */
const CACHED: ReadonlySet<Question['group']> = new Set(['counts', 'aggregations', 'areas'])

/** The questions to ask in a state: none whose answer would be the same as in another table. */
export function questionsIn(questions: readonly Question[], state: StateName, time: TimeFilter): readonly Question[] {
  return questions.filter(({ group, dataset, ignoresTime, onlyAtRest }) => {
    if (time !== 'none' && ignoresTime === true) return false
    if (onlyAtRest === true) return state === 'rest' && time === 'none'
    // The other datasets are loaded before and are in order.
    if (state === 'loaded') return dataset === undefined
    return state !== 'cached' || CACHED.has(group)
  })
}

/** Number of questions of a part over all its tables; 0 for parts that are no states. */
export function stepsOf({ times }: Plan, part: PartName, questions: readonly Question[]): number {
  const state = STATES.find((name) => name === part)
  if (state === undefined) return 0
  return times[state].reduce((sum, time) => sum + questionsIn(questions, state, time).length, 0)
}
