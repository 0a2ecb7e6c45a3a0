import type { WireJson } from '../../../cluster-client/cluster-client.ts'
import type { Scalar } from '../../../query/plan/predicate.ts'
import { type FieldType, isInteger } from '../../../query/schema/field.ts'
import { parseIp } from '../../../query/value/ip-address.ts'
import { printIp } from '../../../query/value/ip-text.ts'

/** How a term is written in the `include` list of an aggregation; dates in the format `epoch_millis`. */
export function writeTerm(value: Scalar, type: FieldType): string {
  switch (type) {
    case 'IP':
      return printIp(String(value))
    case 'FLOAT':
      // The cluster compares doubles, and keeps what single precision leaves of the value.
      return String(Math.fround(Number(value)))
    default:
      return String(value)
  }
}

/** The key of a bucket of terms, as `Predicate` tells values of this type. */
export function readTerm(key: WireJson | undefined, type: FieldType): Scalar {
  switch (type) {
    case 'KEYWORD':
      return String(key)
    case 'IP':
      return parseIp(String(key)) ?? String(key)
    case 'BOOLEAN':
      return Number(key) === 1
    default:
      // Adding zero turns -0 into 0.
      return isInteger(type) ? BigInt(key as number | bigint) : Number(key) + 0
  }
}
