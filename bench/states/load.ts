import { type BulkFile, partsOf, sendBatches } from '../data/bulk-file.ts'
import { goOn, standStill } from '../measure/process-figures.ts'
import type { DatasetName } from '../questions/question.ts'
import type { LoadFigures } from '../report/result.ts'
import type { System } from '../systems/system.ts'

export interface GeneratedDataset {
  readonly dataset: DatasetName
  readonly file: BulkFile
}

/** Documents loaded into one system before the next continues. */
const TURN = 500_000

type Seconds = Map<System, number>

/** Loads generated datasets into all systems and measures how long it takes. */
export class Loading {
  readonly #systems: readonly System[]
  readonly #parallel: number
  readonly #say: (line: string) => void
  readonly figures: LoadFigures[] = []

  constructor(systems: readonly System[], parallel: number, say: (line: string) => void) {
    this.#systems = systems
    this.#parallel = parallel
    this.#say = say
  }

  /**
   * Loads a dataset into all systems and waits until it is in order; `before` is called when the documents can be found.
   * Systems that put documents in order by themselves begin before `before`, the others after it.
   */
  async load({ dataset, file }: GeneratedDataset, before: () => Promise<void> = async () => undefined): Promise<void> {
    const systems = this.#systems.filter((system) => system.holds(dataset))
    const seconds = await this.#write(systems, dataset, file)
    const settled: Seconds = new Map()
    const settle = async (system: System): Promise<void> => {
      settled.set(system, await secondsOf(() => system.settle(dataset)))
    }
    const settling = Promise.all(systems.filter(({ settlesItself }) => settlesItself === true).map(settle))
    await before()
    await settling
    for (const system of systems.filter((one) => !settled.has(one))) {
      this.#say(`${dataset}: ${system.name} puts the documents in order`)
      await this.#alone(system, () => settle(system))
    }
    const documents = file.batches.reduce((sum, batch) => sum + batch.documents, 0)
    for (const system of systems) {
      this.figures.push({
        ...{ system: system.name, dataset, documents },
        documentsPerSecond: documents / (seconds.get(system) ?? Number.NaN),
        secondsUntilInOrder: settled.get(system) ?? Number.NaN,
      })
    }
  }

  /**
   * Writes the documents to every system, alternating, so that other load of the machine affects all equally. The other
   * systems are paused, so that their background work counts in their own time. Returns the seconds until the documents
   * can be found.
   */
  async #write(systems: readonly System[], dataset: DatasetName, file: BulkFile): Promise<Seconds> {
    const seconds: Seconds = new Map()
    const add = async (system: System, work: () => Promise<void>): Promise<void> => {
      const taken = await this.#alone(system, () => secondsOf(work))
      seconds.set(system, (seconds.get(system) ?? 0) + taken)
    }
    for (const system of systems) await system.prepare(dataset)
    const parts = partsOf(file, TURN)
    for (const [n, part] of parts.entries()) {
      this.#say(`${dataset}, part ${n + 1} of ${parts.length}`)
      for (const system of systems) {
        await add(system, () => sendBatches(part, this.#parallel, (lines) => system.write(dataset, lines)))
      }
    }
    for (const system of systems) await add(system, () => system.refresh(dataset))
    return seconds
  }

  /** Does the work while the other systems are paused. */
  async #alone<T>(system: System, work: () => Promise<T>): Promise<T> {
    const others = this.#systems.filter((one) => one !== system).map((one) => one.pid())
    for (const pid of others) standStill(pid)
    try {
      return await work()
    } finally {
      for (const pid of others) goOn(pid)
    }
  }
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}
