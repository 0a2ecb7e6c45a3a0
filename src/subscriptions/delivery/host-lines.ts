export interface LineLimits {
  /** Total number of concurrent attempts. */
  readonly concurrency: number
  readonly perHost: number
  readonly perSubscription: number
}

/** What an attempt indicates about its host. */
export type HostSign = 'success' | 'overload' | 'neither'

type OnLeft = (host: string, subscriptionId: string) => void

interface Waiting {
  readonly subscriptionId: string
  readonly run: () => Promise<HostSign>
  readonly drop: () => Promise<void>
}

interface Host {
  /** Current limit of concurrent attempts. */
  limit: number
  successes: number
  running: number
  /** Moving average of the duration of attempts. Undefined: none has ended. */
  averageMs: number | undefined
  readonly line: Waiting[]
}

/** Successes after which the limit of an overloaded host grows by one. */
const SUCCESSES = 20
/** Maximum number of entries in all queues together. They are claimed and in memory. */
const MOST_WAITING = 1_024
/** A host or subscription has as many deliveries claimed ahead as it can send in AHEAD_MS, at most MOST_AHEAD. */
const AHEAD_MS = 500
const MOST_AHEAD = 256
/** Weight of the latest attempt in the moving average. */
const LATEST = 0.2
/** Number of idle hosts whose reduced limit is remembered. */
const MOST_REMEMBERED = 10_000

/**
 * A queue per host, so that a slow host does not delay the others. Queues are served round robin. An overloaded host
 * has its limit halved; the limit then grows slowly.
 */
export class HostLines {
  readonly #limits: LineLimits
  readonly #onLeft: OnLeft
  readonly #now: () => number
  readonly #hosts = new Map<string, Host>()
  /** Hosts with queued entries, the next one to serve first. */
  readonly #turns = new Set<string>()
  readonly #subscriptions = new Map<string, { running: number; waiting: number }>()
  #running = 0
  #waiting = 0

  /** `onLeft` is called for each entry that has ended or was dropped. */
  constructor(limits: LineLimits, onLeft: OnLeft = () => undefined, now = () => performance.now()) {
    this.#limits = limits
    this.#onLeft = onLeft
    this.#now = now
  }

  get running(): number {
    return this.#running
  }

  /** Number of entries that may still be queued, over all hosts. */
  get room(): number {
    return Math.max(0, MOST_WAITING - this.#waiting)
  }

  /** True if the queue of a host takes another entry after `coming` more. */
  hasRoom(host: string, coming = 0): boolean {
    return this.#loadOf(host) + coming < this.#capacityOf(host)
  }

  /** Same for a subscription. */
  hasRoomFor(host: string, subscriptionId: string, coming = 0): boolean {
    return this.#countOf(subscriptionId) + coming < this.#capacityFor(host)
  }

  /** True if a queue that was full has room for several entries, so that a claim is worthwhile. */
  isSpacious(host: string): boolean {
    return this.#loadOf(host) <= 0.75 * this.#capacityOf(host)
  }

  isSpaciousFor(host: string, subscriptionId: string): boolean {
    return this.#countOf(subscriptionId) <= 0.75 * this.#capacityFor(host)
  }

  /** Queues an entry. `run` is called when it is served, `drop` if it never will be. */
  add(host: string, subscriptionId: string, run: () => Promise<HostSign>, drop: () => Promise<void>): void {
    this.#host(host).line.push({ subscriptionId, run, drop })
    this.#turns.add(host)
    this.#waiting += 1
    this.#of(subscriptionId).waiting += 1
    this.#start()
  }

  /** Drops the queued entries of one subscription, or all. */
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

  #loadOf(name: string): number {
    const host = this.#hosts.get(name)
    return host === undefined ? 0 : host.line.length + host.running
  }

  /** Maximum number of claimed deliveries of a host, running and queued. */
  #capacityOf(name: string): number {
    const host = this.#hosts.get(name)
    return capacity(host?.limit ?? this.#limits.perHost, host?.averageMs)
  }

  #capacityFor(name: string): number {
    return capacity(this.#limits.perSubscription, this.#hosts.get(name)?.averageMs)
  }

  /** Releases queued entries of a host that has become slow, before their claims expire. */
  #trim(name: string, host: Host): void {
    const most = this.#capacityOf(name)
    while (host.line.length > 0 && host.line.length + host.running > most) {
      const last = host.line.pop()
      if (last === undefined) return
      this.#leftLine(last)
      void last.drop()
    }
  }

  #countOf(subscriptionId: string): number {
    const { running, waiting } = this.#subscriptions.get(subscriptionId) ?? { running: 0, waiting: 0 }
    return running + waiting
  }

  #start(): void {
    // Each iteration starts one entry, or finds that the host cannot start any.
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
    const begunMs = this.#now()
    try {
      adapt(host, await run(), this.#limits.perHost)
    } finally {
      const tookMs = this.#now() - begunMs
      host.averageMs = host.averageMs === undefined ? tookMs : host.averageMs + LATEST * (tookMs - host.averageMs)
      host.running -= 1
      this.#running -= 1
      this.#of(subscriptionId).running -= 1
      this.#forgetIdle(subscriptionId)
      this.#trim(name, host)
      this.#tidy(name, host)
      this.#start()
      this.#onLeft(name, subscriptionId)
    }
  }

  #host(name: string): Host {
    let host = this.#hosts.get(name)
    if (host === undefined) {
      host = { limit: this.#limits.perHost, successes: 0, running: 0, averageMs: undefined, line: [] }
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

const capacity = (limit: number, averageMs = Number.POSITIVE_INFINITY): number =>
  Math.max(2 * limit, Math.min(MOST_AHEAD, Math.ceil((limit * AHEAD_MS) / Math.max(1, averageMs))))

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
