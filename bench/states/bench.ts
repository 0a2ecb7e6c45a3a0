import type { Question } from '../questions/question.ts'
import type { System } from '../systems/system.ts'
import type { Plan } from './plan.ts'

/** Running systems with the same documents, and the questions to ask. */
export interface Bench {
  readonly periplus: System
  /** All systems, Periplus first. */
  readonly systems: readonly System[]
  /** The systems that take writes while they are asked. */
  readonly writable: readonly System[]
  readonly questions: readonly Question[]
  readonly plan: Plan
  readonly documents: number
  readonly seed: number
  readonly repetitions: number
  /** Milliseconds for the repetitions of one question on one system. */
  readonly budgetMs: number
  /** Says what is measured now. */
  readonly say: (what: string) => void
}
