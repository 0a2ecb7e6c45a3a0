import { describe, expect, it } from 'vitest'
import type { Question } from '../questions/question.ts'
import { drawFixture, questionFixture } from './question.fixture.ts'
import { clickhouseDialect, duckdbDialect, statementOf } from './sql.ts'

const draw = { ...drawFixture, time: { from: 1000, to: 2000 } }

describe('the statement of a question', () => {
  const counted: Question = {
    ...questionFixture,
    sql: (d) => ({ select: 'count(*)', where: [`kind = '${d.kind}' OR speed < 1`] }),
  }

  it('has the time filter of the draw', () => {
    expect(statementOf(counted, draw, duckdbDialect)).toBe(
      "SELECT count(*) FROM points WHERE (kind = 'kind-1' OR speed < 1) AND (seen BETWEEN 1000 AND 2000)",
    )
    expect(statementOf({ ...counted, ignoresTime: true }, draw, duckdbDialect)).toBe(
      "SELECT count(*) FROM points WHERE (kind = 'kind-1' OR speed < 1)",
    )
  })

  it('ends with its tail', () => {
    const grouped: Question = {
      ...questionFixture,
      dataset: 'flights',
      sql: (_d, { day }) => ({ select: `${day('seen')}, count(*)`, tail: 'GROUP BY 1' }),
    }
    expect(statementOf(grouped, drawFixture, clickhouseDialect)).toBe('SELECT day, count(*) FROM flights GROUP BY 1')
  })

  it('does not exist without syntax or without a table', () => {
    expect(statementOf(questionFixture, draw, duckdbDialect)).toBeUndefined()
    expect(statementOf({ ...counted, dataset: 'shapes' }, draw, duckdbDialect)).toBeUndefined()
  })
})
