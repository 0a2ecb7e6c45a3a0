import type { Database, Transact } from '../database/database.ts'

/** Maximum number of documents per shared transaction. More would delay other writes. */
const MOST_DOCUMENTS = 50_000

/** A write in the queue. */
interface WaitingWrite {
  readonly operations: readonly unknown[]
  /** Set if the write only adds new rows, as far as known before it is executed. */
  readonly planned: unknown
}

interface JointWriteOptions<W, R> {
  readonly database: Database
  /** Executes writes to an index in one transaction. Returns the result of each. */
  readonly carryOut: (transact: Transact, index: string, writes: readonly W[]) => Promise<readonly R[]>
  /** Called when the writes are executed. */
  readonly canJoin: (index: string, writes: readonly W[]) => Promise<boolean>
}

/** Queued writes that will share a transaction. */
interface Gathering<W, R> {
  readonly writes: W[]
  documents: number
  readonly outcomes: Promise<readonly PromiseSettledResult<R>[]>
}

/**
 * Combines queued writes into one transaction, because most of the time of a small write is spent on making it durable.
 * Only for writes of new documents: no two of them name the same document, so their order does not matter and they may
 * overtake others.
 */
export class JointWrites<W extends WaitingWrite, R> {
  readonly #options: JointWriteOptions<W, R>
  /** By index. */
  readonly #gathering = new Map<string, Gathering<W, R>>()

  constructor(options: JointWriteOptions<W, R>) {
    this.#options = options
  }

  async write(index: string, write: W): Promise<R> {
    const { writes, outcomes } = write.planned ? this.#join(index, write) : this.#begin(index, write)
    const place = writes.indexOf(write)
    const outcome = (await outcomes)[place]
    if (outcome?.status === 'fulfilled') return outcome.value
    throw outcome?.reason
  }

  #join(index: string, write: W): Gathering<W, R> {
    const open = this.#gathering.get(index)
    const size = write.operations.length
    if (open && open.documents + size <= MOST_DOCUMENTS) {
      open.writes.push(write)
      open.documents += size
      return open
    }
    const begun = this.#begin(index, write)
    this.#gathering.set(index, begun)
    return begun
  }

  #begin(index: string, write: W): Gathering<W, R> {
    const writes = [write]
    const outcomes = this.#options.database.writeInTurn((transact) => {
      if (this.#gathering.get(index)?.writes === writes) this.#gathering.delete(index)
      return this.#settle(transact, index, writes)
    })
    return { writes, documents: write.operations.length, outcomes }
  }

  /** Executes the writes together. If that fails, executes them one by one, so that none fails because of another. */
  async #settle(transact: Transact, index: string, writes: readonly W[]): Promise<readonly PromiseSettledResult<R>[]> {
    const { carryOut, canJoin } = this.#options
    const isJoint = writes.length > 1 ? await outcomeOf(canJoin(index, writes)) : undefined
    if (isJoint?.status === 'fulfilled' && isJoint.value) {
      const joint = await outcomeOf(carryOut(transact, index, writes))
      if (joint.status === 'fulfilled') return joint.value.map((value) => ({ status: 'fulfilled', value }))
    }
    const outcomes: PromiseSettledResult<R>[] = []
    for (const write of writes) {
      const single = carryOut(transact, index, [write]).then(([value]) => value as R)
      outcomes.push(await outcomeOf(single))
    }
    return outcomes
  }
}

const outcomeOf = async <T>(work: Promise<T>): Promise<PromiseSettledResult<T>> => {
  const [outcome] = await Promise.allSettled([work])
  return outcome
}
