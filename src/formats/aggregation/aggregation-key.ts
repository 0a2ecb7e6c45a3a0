import type { CellKey } from '../../model/answer/aggregation-response.ts'
import type { Position } from '../../model/geometry.ts'
import type { BucketKey } from '../../query/aggregation/bucket.ts'
import type { DateFormat } from '../../query/date/date-format.ts'
import { type DatePrinter, datePrinter, fieldDatePrinter } from '../../query/date/date-printer.ts'
import type { Grouping } from '../../query/plan/aggregation-plan.ts'
import type { Field } from '../../query/schema/field.ts'
import { printIp } from '../../query/value/ip-text.ts'
import { cellCentreOf } from './cell-geometry.ts'

/** The two members that identify a bucket. */
interface WrittenKey {
  readonly key: string | number | CellKey
  readonly key_as_string?: string
}

type KeyWriter = (key: BucketKey) => WrittenKey

/** Returns a writer for the keys of a level (spec 2.1, 2.2); created once for many buckets. */
export function keyWriter(grouping: Grouping, format: DateFormat | undefined): KeyWriter {
  switch (grouping.kind) {
    case 'term':
      return termKey(grouping.field)
    case 'histogram': {
      if (grouping.field.type !== 'DATE') return (key) => ({ key: Number(key) + 0 })
      return dateKey(fieldDatePrinter(grouping.field.format))
    }
    case 'datehistogram':
      return dateKey(format === undefined ? fieldDatePrinter(grouping.field.format) : datePrinter(format))
    case 'geohash':
    case 'geotile':
    case 'geohex': {
      const centre = cellCentreOf(grouping)
      return (key) => ({ key: placeKey(centre(key)), key_as_string: cellText(grouping.level, key) })
    }
  }
}

function termKey(field: Field): KeyWriter {
  switch (field.type) {
    case 'DATE':
      return dateKey(fieldDatePrinter(field.format))
    case 'IP':
      return (key) => textKey(printIp(String(key)))
    case 'BOOLEAN':
      return (key) => ({ key: key ? 1 : 0, key_as_string: String(key) })
    case 'KEYWORD':
      return (key) => textKey(String(key))
    default:
      // The text is exact; a JSON number has the precision of a double.
      return (key) => ({ key: Number(key), key_as_string: String(key) })
  }
}

const textKey = (text: string): WrittenKey => ({ key: text, key_as_string: text })

/** Caches printed dates, because nested levels repeat them. */
function dateKey(print: DatePrinter): KeyWriter {
  const printed = new Map<number, string>()
  return (key) => {
    const ms = Number(key)
    let text = printed.get(ms)
    if (text === undefined) {
      text = print(ms)
      printed.set(ms, text)
    }
    return { key: ms, key_as_string: text }
  }
}

const placeKey = ([lon = 0, lat = 0]: Position): CellKey => ({ lat, lon })

const cellText = (level: number, key: BucketKey): string =>
  typeof key === 'object' ? `${level}/${key.x}/${key.y}` : String(key)
