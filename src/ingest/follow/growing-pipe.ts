import { InputFault } from '../source/input-fault.ts'
import { type GrowingInput, LONGEST, type Stretch } from './growing-input.ts'

/** A pipe, which is read until it ends. */
export class GrowingPipe implements GrowingInput {
  readonly place = undefined
  readonly #chunks: AsyncIterator<Uint8Array>
  #bytes = Buffer.alloc(0)
  #hasEnded = false
  #isStart = true

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  async next(signal: AbortSignal): Promise<Stretch | undefined> {
    if (this.#hasEnded) return undefined
    const aborted = new Promise<undefined>((resolve) => {
      if (signal.aborted) resolve(undefined)
      signal.addEventListener('abort', () => resolve(undefined), { once: true })
    })
    const read = await Promise.race([this.#chunks.next(), aborted])
    if (read === undefined) return undefined
    this.#hasEnded = read.done === true
    if (read.done !== true) this.#bytes = Buffer.concat([this.#bytes, read.value])
    if (this.#bytes.length > LONGEST) throw new InputFault(`Standard input has a line longer than ${LONGEST} bytes.`)
    return { bytes: this.#bytes, isEnd: this.#hasEnded, isStart: this.#isStart }
  }

  async advance(count: number): Promise<void> {
    if (count > 0) this.#isStart = false
    this.#bytes = this.#bytes.subarray(count)
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }
}
