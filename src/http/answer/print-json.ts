import { mapInTurns } from '../../turn.ts'

/** Minimum length of a list that is printed in turns; shorter lists take less than one turn. */
const LONG = 200
const INDENT = '  '

export function printJson(value: unknown, pretty: boolean): string {
  return pretty ? JSON.stringify(value, null, INDENT) : JSON.stringify(value)
}

/** Same output as `printJson`. Prints long lists in turns; large answers have them directly below the top level. */
export async function printJsonInTurns(value: unknown, pretty: boolean): Promise<string> {
  if (!isRecord(value) || !Object.values(value).some(isLong)) return printJson(value, pretty)
  const members: string[] = []
  for (const [key, member] of Object.entries(value)) {
    const text = isLong(member) ? await printList(member, pretty) : printAt(1, member, pretty)
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${pretty ? ' ' : ''}${text}`)
  }
  return `{${joinAt(1, members, pretty)}}`
}

async function printList(list: readonly unknown[], pretty: boolean): Promise<string> {
  const items = await mapInTurns(list, (item) => printAt(2, item, pretty) ?? 'null')
  return `[${joinAt(2, items, pretty)}]`
}

/**
 * Prints a value nested `depth` levels below the top. Line feeds inside strings are escaped, so each one starts a line.
 */
const printAt = (depth: number, value: unknown, pretty: boolean): string | undefined =>
  pretty ? printJson(value, true)?.replaceAll('\n', `\n${INDENT.repeat(depth)}`) : JSON.stringify(value)

/** Joins items printed at a depth into the text between the brackets. */
function joinAt(depth: number, items: readonly string[], pretty: boolean): string {
  if (!pretty) return items.join(',')
  const line = `\n${INDENT.repeat(depth)}`
  return `${line}${items.join(`,${line}`)}\n${INDENT.repeat(depth - 1)}`
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value)

const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > LONG
