export interface LineLimits {
  /** At once, in all. */
  readonly concurrency: number
  readonly perHost: number
  readonly perSubscription: number
}

/** What an attempt says about its host. */
export type HostSign = 'success' | 'overload' | 'neither'

/** How many are on their way to the lines. */
export interface Coming {
  readonly all: number
  readonly ofHost: number
  readonly ofSubscription: number
}

const NOBODY: Coming = { all: 0, ofHost: 0, ofSubscription: 0 }

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
  readonly #hosts = new Map<string, Host>()
  /** Hosts that have somebody waiting, the next in turn first. */
  readonly #turns = new Set<string>()
  readonly #subscriptions = new Map<string, { running: number; waiting: number }>()
  #running = 0
  #waiting = 0

  constructor(limits: LineLimits) {
    this.#limits = limits
  }

  get running(): number {
    return this.#running
  }

  /** Whether another one would soon have its turn, once `coming` ones are there. */
  hasRoom(host: string, subscriptionId: string, coming = NOBODY): boolean {
    if (this.#waiting + coming.all >= MOST_WAITING) return false
    const { perHost, perSubscription } = this.#limits
    const { line = [], running = 0, limit = perHost } = this.#hosts.get(host) ?? {}
    const mine = this.#subscriptions.get(subscriptionId) ?? { running: 0, waiting: 0 }
    if (line.length + running + coming.ofHost >= 2 * limit) return false
    return mine.running + mine.waiting + coming.ofSubscription < 2 * perSubscription
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
    for (const { line } of this.#hosts.values()) {
      for (const waiting of [...line]) {
        if (subscriptionId !== undefined && waiting.subscriptionId !== subscriptionId) continue
        line.splice(line.indexOf(waiting), 1)
        this.#leftLine(waiting)
        dropped.push(waiting)
      }
    }
    await Promise.all(dropped.map(({ drop }) => drop()))
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
