export interface LineLimits {
  /** At once, in all. */
  readonly concurrency: number
  readonly perHost: number
  readonly perSubscription: number
}

/** What an attempt says about its host. */
export type HostSign = 'success' | 'overload' | 'neither'

interface Waiting {
  readonly subscriptionId: string
  readonly run: () => Promise<HostSign>
  readonly drop: () => Promise<void>
}

interface Host {
  /** How many may run at once now. */
  limit: number
  successes: number
  running: number
  readonly line: Waiting[]
}

/** Successes after which a host that was overloaded gets one more at once. */
const SUCCESSES = 20
/** In all lines together: what waits is claimed, and held in memory. */
const MOST_WAITING = 1_024
/** Hosts whose limit is remembered although nothing is sent to them now. */
const MOST_REMEMBERED = 10_000

/**
 * A waiting line for each host, so that a slow one delays nobody else; lines are taken in turn. A host that is
 * overloaded gets half as many at once, and slowly more again.
 */
export class HostLines {
  readonly #limits: LineLimits
  readonly #onLeft: (host: string, subscriptionId: string) => void
  readonly #hosts = new Map<string, Host>()
  /** Hosts that have somebody waiting, the next in turn first. */
  readonly #turns = new Set<string>()
  readonly #subscriptions = new Map<string, { running: number; waiting: number }>()
  #running = 0
  #waiting = 0

  /** `onLeft`: told of each that has ended, or was dropped. */
  constructor(limits: LineLimits, onLeft: (host: string, subscriptionId: string) => void = () => undefined) {
    this.#limits = limits
    this.#onLeft = onLeft
  }

  get running(): number {
    return this.#running
  }

  /** How many more may wait in all lines together. */
  get room(): number {
    return Math.max(0, MOST_WAITING - this.#waiting)
  }

  /** Whether the line of a host takes another one, once `coming` ones are there. */
  hasRoom(host: string, coming = 0): boolean {
    const { load, limit } = this.#loadOf(host)
    return load + coming < 2 * limit
  }

  /** The same of a subscription, whatever its host. */
  hasRoomFor(subscriptionId: string, coming = 0): boolean {
    return this.#countOf(subscriptionId) + coming < 2 * this.#limits.perSubscription
  }

  /** Whether it is worth while to claim for a host whose line was full: several at once. */
  isSpacious(host: string): boolean {
    const { load, limit } = this.#loadOf(host)
    return load <= 1.5 * limit
  }

  isSpaciousFor(subscriptionId: string): boolean {
    return this.#countOf(subscriptionId) <= 1.5 * this.#limits.perSubscription
  }

  /** `run` is called when its turn has come; `drop` when it never will. */
  add(host: string, subscriptionId: string, run: () => Promise<HostSign>, drop: () => Promise<void>): void {
    this.#host(host).line.push({ subscriptionId, run, drop })
    this.#turns.add(host)
    this.#waiting += 1
    this.#of(subscriptionId).waiting += 1
    this.#start()
  }

  /** Drops those that wait: of one subscription, or all. */
  async drop(subscriptionId?: string): Promise<void> {
    const dropped: Waiting[] = []
    for (const [name, host] of this.#hosts) {
      const { line } = host
      for (const waiting of [...line]) {
        if (subscriptionId !== undefined && waiting.subscriptionId !== subscriptionId) continue
        line.splice(line.indexOf(waiting), 1)
        this.#leftLine(waiting)
        this.#onLeft(name, waiting.subscriptionId)
        dropped.push(waiting)
      }
    }
    await Promise.all(dropped.map(({ drop }) => drop()))
  }

  #loadOf(name: string): { readonly load: number; readonly limit: number } {
    const host = this.#hosts.get(name)
    if (host === undefined) return { load: 0, limit: this.#limits.perHost }
    return { load: host.line.length + host.running, limit: host.limit }
  }

  #countOf(subscriptionId: string): number {
    const { running, waiting } = this.#subscriptions.get(subscriptionId) ?? { running: 0, waiting: 0 }
    return running + waiting
  }

  #start(): void {
    // Each turn starts one, or finds that the host has none to start.
    let idle = 0
    while (this.#running < this.#limits.concurrency && idle < this.#turns.size) {
      const [name] = this.#turns
      if (name === undefined) return
      const host = this.#host(name)
      this.#turns.delete(name)
      const next = this.#takeFrom(host)
      const isLast = host.line.length === 0
      if (!isLast) this.#turns.add(name)
      if (next !== undefined) {
        idle = 0
        void this.#run(name, host, next)
      } else if (!isLast) idle += 1
    }
  }

  #takeFrom(host: Host): Waiting | undefined {
    if (host.running >= host.limit) return undefined
    const { perSubscription } = this.#limits
    const place = host.line.findIndex(({ subscriptionId }) => this.#of(subscriptionId).running < perSubscription)
    const [next] = place < 0 ? [] : host.line.splice(place, 1)
    if (next !== undefined) this.#leftLine(next)
    return next
  }

  async #run(name: string, host: Host, { subscriptionId, run }: Waiting): Promise<void> {
    host.running += 1
    this.#running += 1
    this.#of(subscriptionId).running += 1
    try {
      adapt(host, await run(), this.#limits.perHost)
    } finally {
      host.running -= 1
      this.#running -= 1
      this.#of(subscriptionId).running -= 1
      this.#forgetIdle(subscriptionId)
      this.#tidy(name, host)
      this.#start()
      this.#onLeft(name, subscriptionId)
    }
  }

  #host(name: string): Host {
    let host = this.#hosts.get(name)
    if (host === undefined) {
      host = { limit: this.#limits.perHost, successes: 0, running: 0, line: [] }
      this.#hosts.set(name, host)
    }
    return host
  }

  #of(subscriptionId: string): { running: number; waiting: number } {
    let counts = this.#subscriptions.get(subscriptionId)
    if (counts === undefined) {
      counts = { running: 0, waiting: 0 }
      this.#subscriptions.set(subscriptionId, counts)
    }
    return counts
  }

  #leftLine({ subscriptionId }: Waiting): void {
    this.#waiting -= 1
    this.#of(subscriptionId).waiting -= 1
    this.#forgetIdle(subscriptionId)
  }

  #forgetIdle(subscriptionId: string): void {
    const { running, waiting } = this.#of(subscriptionId)
    if (running + waiting === 0) this.#subscriptions.delete(subscriptionId)
  }

  #tidy(name: string, { running, line, limit }: Host): void {
    if (running + line.length > 0) return
    if (limit === this.#limits.perHost || this.#hosts.size > MOST_REMEMBERED) this.#hosts.delete(name)
  }
}

function adapt(host: Host, sign: HostSign, most: number): void {
  if (sign === 'overload') {
    host.limit = Math.max(1, Math.floor(host.limit / 2))
    host.successes = 0
  } else if (sign === 'success' && host.limit < most) {
    host.successes += 1
    if (host.successes < SUCCESSES) return
    host.limit += 1
    host.successes = 0
  }
}
