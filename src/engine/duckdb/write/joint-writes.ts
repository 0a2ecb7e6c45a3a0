import type { Database, Transact } from '../database/database.ts'

/** As many documents may share a transaction: more would hold up other writes. */
const MOST_DOCUMENTS = 50_000

/** A write that takes its turn. */
export interface WaitingWrite {
  readonly operations: readonly unknown[]
  /** Nothing but new rows come of it, as far as can be told before its turn. */
  readonly planned: unknown
}

export interface JointWriteOptions<W, R> {
  readonly database: Database
  /** Carries writes to an index out in one transaction, and answers what became of each. */
  readonly carryOut: (transact: Transact, index: string, writes: readonly W[]) => Promise<readonly R[]>
  /** Asked when their turn has come. */
  readonly canJoin: (index: string, writes: readonly W[]) => Promise<boolean>
}

/** Writes that wait for a turn they will share. */
interface Gathering<W, R> {
  readonly writes: W[]
  documents: number
  readonly outcomes: Promise<readonly PromiseSettledResult<R>[]>
}

/**
 * Lets writes that wait for their turn share a transaction, since most of the time of a small one goes into making it
 * durable. Only writes of new documents: none of them names a document that another one does, so it does not matter
 * which comes first, and they may pass others on the way.
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

  /** Together, or else one by one, so that none fails for a fault of another. */
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
