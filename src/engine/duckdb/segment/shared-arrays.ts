import type { Codes } from './column.ts'

/** Arrays in memory that several threads can read. */
export const sharedUint8s = (length: number): Uint8Array => new Uint8Array(new SharedArrayBuffer(length))
const sharedUint16s = (length: number): Uint16Array => new Uint16Array(new SharedArrayBuffer(2 * length))
export const sharedUint32s = (length: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * length))
export const sharedFloat64s = (length: number): Float64Array => new Float64Array(new SharedArrayBuffer(8 * length))

/** Returns shared codes for values up to `max`, in the narrowest type. */
export function sharedCodes(length: number, max: number): Codes {
  if (max <= 0xff) return sharedUint8s(length)
  return max <= 0xffff ? sharedUint16s(length) : sharedUint32s(length)
}

/** Returns the values, none of them above `max`, in the narrowest type. */
export function narrowed(values: Uint32Array, max: number): Codes {
  const codes = sharedCodes(values.length, max)
  codes.set(values)
  return codes
}
