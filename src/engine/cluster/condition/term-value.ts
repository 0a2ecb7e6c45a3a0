import type { WireJson } from '../../../cluster-client/cluster-client.ts'
import type { FieldType } from '../../../model/field-type.ts'
import type { Scalar } from '../../../query/plan/predicate.ts'
import { isInteger } from '../../../query/schema/field.ts'
import { parseIp } from '../../../query/value/ip-address.ts'
import { printIp } from '../../../query/value/ip-text.ts'

/** Formats a term for the `include` list of an aggregation; dates as `epoch_millis`. */
export function writeTerm(value: Scalar, type: FieldType): string {
  switch (type) {
    case 'IP':
      return printIp(String(value))
    case 'FLOAT':
      // The cluster stores single precision but compares doubles.
      return String(Math.fround(Number(value)))
    default:
      return String(value)
  }
}

/** Converts the key of a terms bucket to a value as used in `Predicate`. */
export function readTerm(key: WireJson | undefined, type: FieldType): Scalar {
  switch (type) {
    case 'KEYWORD':
      return String(key)
    case 'IP':
      return parseIp(String(key)) ?? String(key)
    case 'BOOLEAN':
      return Number(key) === 1
    default:
      // Adding 0 converts -0 to 0.
      return isInteger(type) ? BigInt(key as number | bigint) : Number(key) + 0
  }
}
