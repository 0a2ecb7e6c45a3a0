export type TypedArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array

export type ArrayType = TypedArray[typeof Symbol.toStringTag]

interface Constructor {
  readonly BYTES_PER_ELEMENT: number
  new (memory: ArrayBufferLike, at: number, length: number): TypedArray
}

const CONSTRUCTORS: Readonly<Record<ArrayType, Constructor>> = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
}

export const isArrayType = (name: unknown): name is ArrayType =>
  typeof name === 'string' && Object.hasOwn(CONSTRUCTORS, name)

/** A Buffer is a Uint8Array. */
export const isTypedArray = (value: unknown): value is TypedArray =>
  ArrayBuffer.isView(value) && Symbol.toStringTag in value && isArrayType(value[Symbol.toStringTag])

export const typeOfArray = (array: TypedArray): ArrayType => array[Symbol.toStringTag]

export const elementBytes = (type: ArrayType): number => CONSTRUCTORS[type].BYTES_PER_ELEMENT

export const arrayOn = (type: ArrayType, memory: SharedArrayBuffer, length: number): TypedArray =>
  new CONSTRUCTORS[type](memory, 0, length)

/** Bytes of an array, without copying. */
export const bytesOf = (array: TypedArray): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
