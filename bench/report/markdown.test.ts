import { expect, test } from 'vitest'
import { markdownTable, renderMarkdown } from './markdown.ts'
import { joinParts } from './result.ts'
import { calm, header, sample } from './sample-result.ts'

const text = renderMarkdown(sample)

test('headings name the states in plain English', () => {
  expect(text.split('\n').filter((line) => line.startsWith('#'))).toEqual([
    '# Benchmark of 2025-01-02',
    '## Loading',
    '## Memory and disk',
    '## Summary',
    '## State: rest',
    '### No time filter',
    '### Changing time filter',
    '## State: after a restart, first request',
    '### No time filter',
    '## Many clients',
    '## Requests at once',
    '## Writes while clients read',
    '## Differing answers',
  ])
})

test('rows have median, spread, peers and ratios', () => {
  expect(text).toContain(`| question | Periplus | spread | OpenSearch | ratio | DuckDB | ratio |
|---|---:|---:|---:|---:|---:|---:|
| count all | 2.00 | 1.80 to 2.20 | 8.00 | 4.00x | 1.00 | 0.50x |
| days \\| months | 10.0 | 9.00 to 11.0 | 90.0 | 9.00x | 20.0 | 2.00x |
| term > term | 100.0 | 90.0 to 110.0 | 400.0 | 4.00x | - | - |
| export | 500.0 | 450.0 to 550.0 | - | - | - | - |`)
})

test('means are given for each group and over all', () => {
  expect(text).toContain(`| group | mean ratio to OpenSearch | mean ratio to DuckDB |
|---|---:|---:|
| counts | 4.00x | 0.50x |
| aggregations | 6.00x | 2.00x |
| files | - | - |
| all | 5.24x | 1.00x |`)
})

test('the summary has the mean and the worst row of every state', () => {
  expect(text).toContain(
    '| rest | 2.91x | 0.50x count all, changing time filter | 1.00x | 0.50x count all, no time filter |',
  )
  expect(text).toContain('| after a restart, first request | 4.00x | 4.00x count all, no time filter | - | - |')
})

test('a disturbed state says so, and only this one', () => {
  expect(text.match(/disturbed/g)).toHaveLength(1)
  expect(text).toMatch(/## State: after a restart, first request\n\nThe machine was disturbed: the host gave 41 %/)
})

test('figures of load, clients and writes', () => {
  expect(text).toContain('| Periplus | 1,000,000 points | 76,912 | 9.3 | 44,920 |')
  expect(text).toContain('| DuckDB | 1,000,000 points | 200,000 | 0.0 | 200,000 |')
  expect(text).toContain('| Periplus | load | 900 MiB | 1,700 MiB | 944 bytes | 172 MiB | 180 bytes |')
  expect(text).toContain('| DuckDB | load | - | - | - | 86 MiB | 90 bytes |')
  expect(text).toContain('| Periplus | count all | 8 | 812.3 | 9.00 | 13.5 | 18.0 |')
  expect(text).toContain('| Periplus | 30 | 220.0 | 198.0 to 242.0 |')
  expect(text).toContain('| Periplus | 200 | 8 | 17.0 | 25.5 | 34.0 |')
  expect(text).toContain('| OpenSearch | 1,000 | 612 | 200 | 70.0 | 105.0 | 140.0 |')
})

test('a run that has just begun has no empty tables', () => {
  const begun = renderMarkdown(joinParts(header, new Map([['load', { machineUse: calm }]])))
  expect(begun).not.toContain('##')
})

test('cells are escaped', () => {
  expect(markdownTable([['a|b', 'c']])).toBe('| a\\|b | c |\n|---|---:|')
})
