import { isAscii, isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { InputFault } from './input-fault.ts'

/** Encoding of bytes that are not UTF-8: the one Windows programs write in Western languages; Latin-1 is a part of it. */
const FALLBACK = 'windows-1252'

/** Encoding stated by a byte order mark. */
export function markedEncoding(head: Uint8Array): string | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8'
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined
}

/** Returns a decoder; throws InputFault for an unknown name. Removes a byte order mark. */
export function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding)
  } catch {
    throw new InputFault(`The encoding ${encoding} is not known; examples are utf-8, windows-1252 and iso-8859-15.`)
  }
}

/** Decodes text whose encoding is given, marked, or recognised at its first byte outside ASCII. */
export class TextReader {
  #decoder: TextDecoder | undefined
  #encoding: string | undefined

  constructor(head: Uint8Array, given?: string) {
    this.#encoding = given ?? markedEncoding(head)
    if (this.#encoding !== undefined) this.#decoder = decoderOf(this.#encoding)
  }

  /** The encoding if it is known and not UTF-8. */
  get notable(): string | undefined {
    return this.#encoding === 'utf-8' ? undefined : this.#encoding
  }

  read(chunk: Uint8Array): string {
    if (this.#decoder === undefined) {
      if (isAscii(chunk)) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1')
      this.#encoding = isUtf8(wholeCharacters(chunk)) ? 'utf-8' : FALLBACK
      this.#decoder = decoderOf(this.#encoding)
    }
    return this.#decoder.decode(chunk, { stream: true })
  }

  end(): string {
    return this.#decoder?.decode() ?? ''
  }
}

/** Decodes the beginning of a text. */
export function decodeHead(head: Uint8Array, given?: string): string {
  return new TextReader(head, given).read(head)
}

/** Drops a last character that may be incomplete. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 4 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back)
  }
  return bytes
}
