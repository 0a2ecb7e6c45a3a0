import type { Answer, Draw, Question } from '../questions/question.ts'
import type { Reply, System } from '../systems/system.ts'

export type Asked = Pick<System, 'name' | 'ask'>

export interface Turns {
  /** Draws of the warm-up; none if the first requests are what is measured. */
  readonly warmUp: readonly Draw[]
  /** Time of the warm-up of each system. */
  readonly warmUpMs: number
  /** One draw for each repetition, at most all of them. */
  readonly draws: readonly Draw[]
  /** Time of all repetitions of all systems, the warm-up excluded; three repetitions may take `PATIENCE` times as long. */
  readonly budgetMs: number
  /** Says how two answers differ; undefined if they do not. */
  readonly differenceOf: (expected: Answer, actual: Answer) => string | undefined
  readonly clock?: () => number
}

export interface Turned {
  /** By name of the system, in the order of the draws. Without systems that have no syntax, or that failed. */
  readonly replies: ReadonlyMap<string, readonly Reply[]>
  /** Differing answers and failures, as text; an empty list if all is well. */
  readonly differences: readonly string[]
}

/** Enough for a median. */
const LEAST = 3
/** Of the budget, until fewer repetitions than that are enough. */
const PATIENCE = 4

/** Differences kept of each system; the others are only counted. */
const KEPT = 3

/**
 * Asks a question of all systems in every repetition, so that other load of the machine affects all equally. The first
 * system that answers says what is expected. A system that fails is not asked again.
 */
export async function askInTurns(systems: readonly Asked[], question: Question, turns: Turns): Promise<Turned> {
  const { draws, budgetMs, differenceOf, clock = () => performance.now() } = turns
  const differences = new Differences()
  const asking = new Map<Asked, Reply[]>(systems.map((system) => [system, []]))

  const ask = async (system: Asked, draw: Draw): Promise<Reply | undefined> => {
    try {
      const reply = await system.ask(question, draw)
      if (reply === undefined) asking.delete(system)
      return reply
    } catch (error) {
      asking.delete(system)
      differences.add(system.name, `failed: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    }
  }

  for (const system of systems) {
    const until = clock() + turns.warmUpMs
    for (const draw of turns.warmUp) {
      if (clock() >= until || !asking.has(system)) break
      await ask(system, draw)
    }
  }

  const started = clock()
  for (const [n, draw] of draws.entries()) {
    if (n > 0 && clock() - started >= (n < LEAST ? budgetMs * PATIENCE : budgetMs)) break
    const answers = new Map<Asked, Answer>()
    for (const system of rotated([...asking.keys()], n)) {
      const reply = await ask(system, draw)
      if (reply === undefined) continue
      asking.get(system)?.push(reply)
      answers.set(system, reply.answer)
    }
    const [reference, ...others] = systems.filter((system) => answers.has(system))
    const expected = reference && answers.get(reference)
    for (const other of others) {
      const actual = answers.get(other)
      const difference = expected && actual && differenceOf(expected, actual)
      if (difference !== undefined) differences.add(other.name, `repetition ${n + 1}: ${difference}`)
    }
  }
  return {
    replies: new Map([...asking].map(([{ name }, replies]) => [name, replies])),
    differences: differences.texts(),
  }
}

/** Every system is the first in its turn, so that none always follows the same other one. */
function rotated<T>(items: readonly T[], by: number): readonly T[] {
  const at = items.length === 0 ? 0 : by % items.length
  return [...items.slice(at), ...items.slice(0, at)]
}

class Differences {
  readonly #byName = new Map<string, string[]>()

  add(name: string, text: string): void {
    const texts = this.#byName.get(name)
    if (texts === undefined) this.#byName.set(name, [text])
    else texts.push(text)
  }

  texts(): readonly string[] {
    return [...this.#byName].flatMap(([name, texts]) => [
      ...texts.slice(0, KEPT).map((text) => `${name}, ${text}`),
      ...(texts.length > KEPT ? [`${name}, ${texts.length - KEPT} more`] : []),
    ])
  }
}
