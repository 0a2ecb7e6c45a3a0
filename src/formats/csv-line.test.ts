import { expect, test } from 'vitest'
import { spreadsheetCell } from './csv-line.ts'

test.each([
  ['', ''],
  ['plain', 'plain'],
  ['=HYPERLINK("http://a","b")', `'=HYPERLINK("http://a","b")`],
  ['+1+cmd', "'+1+cmd"],
  ['-2+3', "'-2+3"],
  ['- a point of a list', "'- a point of a list"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t'=1"],
  ['\r=1', "'\r'=1"],
  ['\tplain', "'\tplain"],
  ['  =1', "'  =1"],
  ['"=1"', `'"=1"`],
  ['＝1+1', "'＝1+1"],
  // semicolons or tabs that separate cells, or a line feed that ends a row
  ['a;=1', "a;'=1"],
  ['a\t@b', "a\t'@b"],
  ['a\n=1', "a\n'=1"],
  ['a=b', 'a=b'],
  ['a - b', 'a - b'],
  ['2024-01-01', '2024-01-01'],
  ['POINT (1 -2.5)', 'POINT (1 -2.5)'],
  ['[-1,-2]', '[-1,-2]'],
  // numbers
  ['-1.5', '-1.5'],
  ['+49', '+49'],
  ['-.5', '-.5'],
  ['-1.', '-1.'],
  ['-1e-7', '-1e-7'],
  ['-1.5x', "'-1.5x"],
  ['-', "'-"],
  ['-1-1', "'-1-1"],
])('%j is %j', (text, expected) => {
  expect(spreadsheetCell(text)).toBe(expected)
})
