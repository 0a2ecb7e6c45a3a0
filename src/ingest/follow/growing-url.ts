import { setTimeout as pause } from 'node:timers/promises'
import { InputFault } from '../source/input-fault.ts'
import { type GrowingInput, LONGEST, STEP, type Stretch } from './growing-input.ts'
import type { UrlPlace } from './input-place.ts'

export interface PartAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: AsyncIterable<Uint8Array>
}

/** Sends a GET request with the given headers. Throws InputFault if the URL may not be called. */
export type FetchPart = <T>(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  use: (answer: PartAnswer) => Promise<T>,
) => Promise<T>

export interface GrowingUrlOptions {
  readonly from?: UrlPlace | undefined
  readonly intervalMs: number
  readonly fetchPart: FetchPart
  readonly say: (text: string) => void
}

/** Bytes before the position that are requested again: they differ if the file was replaced. */
const OVERLAP = 256

/** Bytes of a file that is downloaded as a whole, because the server does not support byte ranges. */
const MOST_WHOLE = LONGEST

const ANSWERED_WITHIN_MS = 120_000
const LONGEST_PAUSE_MS = 5 * 60_000

/** The server cannot be read at the moment. */
class Unavailable extends Error {
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs = 0) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * A file on a web server that grows. Each request asks for a range that begins shortly before the position, so that a
 * file that was replaced or truncated is noticed: entity tags differ after every change and cannot tell. They save the
 * transfer if nothing changed.
 */
export class GrowingUrl implements GrowingInput {
  readonly #url: string
  readonly #options: GrowingUrlOptions
  #offset: number
  /** The last bytes before the offset. */
  #before: Buffer
  /** Bytes from the offset on. */
  #buffer = Buffer.alloc(0)
  /** Bytes of the buffer that were passed on and not consumed: an incomplete row. */
  #seen = 0
  #want = STEP
  /** Of the version that was read to its end. */
  #etag: string | undefined
  #isAtEnd = false
  #hasAnswered = false
  #isWholeSaid = false

  constructor(url: string, options: GrowingUrlOptions) {
    this.#url = url
    this.#options = options
    this.#offset = options.from?.offset ?? 0
    this.#before = Buffer.from(options.from?.before ?? '', 'base64')
  }

  get place(): UrlPlace {
    return { offset: this.#offset, before: this.#before.toString('base64') }
  }

  async next(signal: AbortSignal): Promise<Stretch | undefined> {
    for (let failures = 0; !signal.aborted; ) {
      const given = Math.min(this.#buffer.length, this.#want)
      if (given > this.#seen) return this.#give(given, false)
      if (this.#isAtEnd && failures === 0) await pauseFor(this.#options.intervalMs, signal)
      try {
        const found = await this.#read(AbortSignal.any([signal, AbortSignal.timeout(ANSWERED_WITHIN_MS)]))
        if (failures > 0) this.#options.say(`${this.#url} can be read again.`)
        failures = 0
        if (found !== 'replaced') continue
        // Its last row, if it had no line end.
        if (this.#buffer.length > 0 && this.#isAtEnd) return this.#give(this.#buffer.length, true)
        this.#options.say(`${this.#url} was replaced or truncated: reading it from the beginning.`)
        this.#restart()
      } catch (error) {
        if (signal.aborted) return undefined
        failures += 1
        await pauseFor(this.#explain(error, failures), signal)
      }
    }
    return undefined
  }

  /** Returns how long to wait after a failure; throws if waiting does not help. */
  #explain(error: unknown, failures: number): number {
    if (error instanceof InputFault) throw error
    const { intervalMs, say } = this.#options
    const reason = error instanceof Error ? error.message : String(error)
    if (!this.#hasAnswered) throw new InputFault(`${this.#url} cannot be read: ${reason}.`)
    if (failures === 1) say(`${this.#url} cannot be read: ${reason}. Trying again until it responds.`)
    const backoff = Math.min(intervalMs * 2 ** failures, Math.max(intervalMs, LONGEST_PAUSE_MS))
    return Math.max(backoff, error instanceof Unavailable ? error.retryAfterMs : 0)
  }

  #give(count: number, isEnd: boolean): Stretch {
    this.#seen = count
    if (isEnd) this.#isAtEnd = false
    return { bytes: this.#buffer.subarray(0, count), isEnd, isStart: this.#offset === 0 }
  }

  async advance(count: number): Promise<void> {
    if (count === 0) {
      if (this.#seen < this.#want) return
      this.#want *= 2
      if (this.#want > LONGEST) throw new InputFault(`${this.#url} has a line longer than ${LONGEST / 2} bytes.`)
      return
    }
    this.#want = STEP
    this.#before = this.#lastBytes(count)
    this.#buffer = this.#buffer.subarray(count)
    this.#seen = Math.max(0, this.#seen - count)
    this.#offset += count
  }

  async close(): Promise<void> {
    // Connections are closed after each request.
  }

  /** The last bytes before a position of the buffer. */
  #lastBytes(end: number): Buffer {
    const known = Buffer.concat([this.#before, this.#buffer.subarray(Math.max(0, end - OVERLAP), end)])
    return known.subarray(Math.max(0, known.length - OVERLAP))
  }

  #restart(): void {
    this.#offset = 0
    this.#before = Buffer.alloc(0)
    this.#buffer = Buffer.alloc(0)
    this.#seen = 0
    this.#want = STEP
    this.#etag = undefined
    this.#isAtEnd = false
  }

  /** Appends what follows to the buffer. */
  async #read(signal: AbortSignal): Promise<'more' | 'same' | 'replaced'> {
    const from = this.#offset + this.#buffer.length
    const overlap = this.#lastBytes(this.#buffer.length)
    const start = from - overlap.length
    const headers = {
      range: `bytes=${start}-${from + STEP - 1}`,
      'accept-encoding': 'identity',
      ...(this.#etag === undefined ? {} : { 'if-none-match': this.#etag }),
    }
    return this.#options.fetchPart(this.#url, headers, signal, async (answer) => {
      const { status } = answer
      if (status !== 200 && status !== 206 && status !== 304 && status !== 416) throw refusal(answer)
      this.#hasAnswered = true
      if (status === 304) return 'same'
      if (status === 416 && from > 0) return 'replaced'
      if (status === 416) {
        this.#isAtEnd = true
        return 'same'
      }
      const coding = text(answer, 'content-encoding')
      if (coding !== undefined && coding !== 'identity')
        throw new InputFault(`${this.#url} is sent compressed (${coding}), and cannot be followed.`)
      const bytes =
        status === 206 ? await this.#readRange(answer, start) : (await this.#readWhole(answer)).subarray(start)
      if (!bytes.subarray(0, overlap.length).equals(overlap)) return 'replaced'
      const end = start + bytes.length
      const size = sizeOf(answer)
      this.#isAtEnd = status === 200 || (size === undefined ? end < from + STEP : end >= size)
      this.#etag = this.#isAtEnd ? text(answer, 'etag') : undefined
      if (end === from) return 'same'
      this.#buffer = Buffer.concat([this.#buffer, bytes.subarray(overlap.length)])
      return 'more'
    })
  }

  async #readRange(answer: PartAnswer, start: number): Promise<Buffer> {
    const range = text(answer, 'content-range') ?? ''
    const first = /^bytes (\d+)-/.exec(range)?.[1]
    if (first === undefined || Number(first) !== start) {
      throw new Unavailable(`the server responded with the range "${range}" instead of the one from byte ${start}`)
    }
    return collect(
      answer.body,
      STEP + OVERLAP,
      () => new Unavailable('the server responded with more bytes than asked'),
    )
  }

  async #readWhole(answer: PartAnswer): Promise<Buffer> {
    const { say } = this.#options
    const tooLarge = (): InputFault =>
      new InputFault(
        `${this.#url} cannot be followed: the server does not support byte ranges, and the file has more than ${MOST_WHOLE} bytes, which would be downloaded again at each change.`,
      )
    if (Number(text(answer, 'content-length') ?? 0) > MOST_WHOLE) throw tooLarge()
    if (!this.#isWholeSaid && text(answer, 'accept-ranges') !== 'bytes') {
      this.#isWholeSaid = true
      say(`The server of ${this.#url} does not support byte ranges: the whole file is downloaded at each change.`)
    }
    return collect(answer.body, MOST_WHOLE, tooLarge)
  }
}

const pauseFor = (milliseconds: number, signal: AbortSignal): Promise<unknown> =>
  pause(milliseconds, undefined, { signal }).catch(() => undefined)

async function collect(body: AsyncIterable<Uint8Array>, most: number, tooMany: () => Error): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > most) throw tooMany()
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Size of the file of which a range was sent; undefined if the server does not tell. */
function sizeOf(answer: PartAnswer): number | undefined {
  const size = /\/(\d+)$/.exec(text(answer, 'content-range') ?? '')?.[1]
  return size === undefined ? undefined : Number(size)
}

function refusal(answer: PartAnswer): Unavailable {
  const seconds = Number(text(answer, 'retry-after') ?? 0)
  const retryAfterMs = Number.isFinite(seconds) ? Math.min(seconds * 1_000, 12 * LONGEST_PAUSE_MS) : 0
  return new Unavailable(`the server responded with ${answer.status}`, retryAfterMs)
}

function text({ headers }: PartAnswer, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
