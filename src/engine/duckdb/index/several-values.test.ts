import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, it } from 'vitest'
import type { FieldType } from '../../../model/field-type.ts'
import type { Scalar } from '../../../query/plan/predicate.ts'
import { joinValues, listOf, splitValues } from './several-values.ts'

const cases: readonly (readonly [FieldType, readonly Scalar[]])[] = [
  ['KEYWORD', ['a', 'b']],
  ['KEYWORD', ['', '']],
  ['KEYWORD', ['\u001f', '\u001e', 'a\u001eb\u001f1', '\u001e0', '\u001e1', ',;"\\', 'é😀']],
  ['LONG', [9223372036854775807n, -9223372036854775808n, 0n]],
  ['DOUBLE', [0.1, 1e300, 5e-324, -1.7976931348623157e308, 1e21]],
  ['FLOAT', [Math.fround(0.1), Math.fround(3.4e38)]],
  ['BOOLEAN', [true, false]],
  ['DATE', [-8640000000000000, 1]],
]

describe('several values in one text', () => {
  it.each(cases)('%s values come back as they went in', async (type, values) => {
    const instance = await DuckDBInstance.create()
    const connection = await instance.connect()
    const list = listOf({ path: 'x', type, column: 'c', several: true })
    const rows = await (
      await connection.run(`SELECT unnest(${list}) FROM (SELECT CAST($1 AS VARCHAR) AS c_all)`, [joinValues(values)])
    ).getRows()
    const comparable = (value: unknown): unknown => (type === 'DATE' ? Number(value) : value)
    expect(rows.map(([value]) => comparable(value))).toEqual(values)
    connection.closeSync()
    instance.closeSync()
  })

  it.each(cases)('%s values are split as they were printed', (_, values) => {
    expect(splitValues(joinValues(values))).toEqual(values.map(String))
  })
})
