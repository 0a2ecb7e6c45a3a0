import { DuckDBBlobValue, type DuckDBConnection, DuckDBInstance, DuckDBListValue } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Shape } from '../../geo/shape.ts'
import { encodeShape } from '../../geo/wkb.ts'
import { Matchers } from './matchers.ts'

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

  const listed = async (cells: (shape: Shape) => readonly bigint[] | undefined, rows: number): Promise<unknown[]> => {
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

  it('are NULL where they are too many, by themselves or together', async () => {
    const ten = Array.from({ length: 10 }, (_, i) => BigInt(i))
    expect(await listed(() => ten, 14)).not.toContain(null)
    // ten shapes have as many as there may be at once
    expect((await listed(() => ten, 20)).flatMap((list, row) => (list === null ? row : []))).toEqual([15, 16, 18, 19])
    expect(await listed(() => undefined, 3)).toEqual([null, null, []])
  })

  it('fail the statement, not the process, when they cannot be told', async () => {
    const broken = (): readonly bigint[] => {
      throw new Error('no such grid')
    }
    await expect(listed(broken, 1)).rejects.toThrow('no such grid')
  })
})
