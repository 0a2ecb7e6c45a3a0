import { DuckDBBlobValue, type DuckDBConnection, DuckDBInstance, DuckDBListValue } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Shape } from '../../geo/shape.ts'
import { encodeShape } from '../../geo/wkb.ts'
import { Matchers, TOO_MANY_CELLS } from './matchers.ts'

const shape: Shape = { polygons: [], lines: [], points: [[1, 2]] }

describe('the cells of shapes', () => {
  const matchers = new Matchers(100)
  let instance: DuckDBInstance
  let connection: DuckDBConnection

  beforeEach(async () => {
    instance = await DuckDBInstance.create(':memory:')
    connection = await instance.connect()
    matchers.register(connection)
  })

  afterEach(() => {
    connection.closeSync()
    instance.closeSync()
  })

  const listed = async (cells: (shape: Shape) => readonly bigint[], rows: number): Promise<unknown[]> => {
    const id = matchers.add({ cells })
    try {
      const text = `SELECT shape_cells(${id}, CASE WHEN i % 3 < 2 THEN $1::BLOB END) FROM range(${rows}) t(i)`
      const result = await connection.run(text, [new DuckDBBlobValue(encodeShape(shape))])
      return (await result.getRows()).map(([list]) => (list instanceof DuckDBListValue ? list.items : list))
    } finally {
      matchers.remove([id])
    }
  }

  it('come as lists, empty without a shape', async () => {
    const find = ({ points }: Shape): readonly bigint[] => (points.length === 1 ? [7n, 2n ** 60n] : [])
    expect(await listed(find, 4)).toEqual([[7n, 2n ** 60n], [7n, 2n ** 60n], [], [7n, 2n ** 60n]])
  })

  it('fail the statement when they are too many together', async () => {
    const ten = Array.from({ length: 10 }, (_, i) => BigInt(i))
    expect(await listed(() => ten, 14)).toHaveLength(14)
    await expect(listed(() => ten, 20)).rejects.toThrow(TOO_MANY_CELLS)
    expect(await listed(() => ten, 3)).toHaveLength(3)
  })

  it('fail the statement, not the process, when they cannot be told', async () => {
    const broken = (): readonly bigint[] => {
      throw new Error('no such grid')
    }
    await expect(listed(broken, 1)).rejects.toThrow('no such grid')
  })
})
