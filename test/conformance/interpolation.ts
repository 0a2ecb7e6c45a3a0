import { randomUUID } from 'node:crypto'

/** Returns a WKT polygon of n vertices with radius 20.5 around 0 0. */
function circle(n: number): string {
  const points = Array.from({ length: n }, (_, i) => {
    const angle = (2 * Math.PI * i) / n
    return `${(20.5 * Math.cos(angle)).toFixed(6)} ${(20.5 * Math.sin(angle)).toFixed(6)}`
  })
  return `POLYGON((${[...points, points[0]].join(',')}))`
}

function evaluate(expression: string, variables: ReadonlyMap<string, unknown>): unknown {
  const text = expression.trim()
  if (text === 'uuid') return randomUUID()
  if (text === 'now') return Math.floor(Date.now() / 1000)
  const circleOf = /^circle:(\d+)$/.exec(text)
  if (circleOf) return circle(Number(circleOf[1]))
  const repeated = /^repeat:(.*):(\d+)$/s.exec(text)
  if (repeated) return (repeated[1] ?? '').repeat(Number(repeated[2]))
  const named = /^([\w-]+?)(?:([+-])(\d+))?$/.exec(text)
  const name = named?.[1] ?? ''
  if (!variables.has(name)) throw new Error(`unknown variable {{${text}}}`)
  const value = variables.get(name)
  return named?.[2] === undefined ? value : Number(value) + (named[2] === '-' ? -1 : 1) * Number(named[3])
}

/** Replaces `{{name}}` everywhere in a value. If it is the whole text, the type of the value is kept. */
export function interpolate(value: unknown, variables: ReadonlyMap<string, unknown>): unknown {
  const inText = (text: string): string =>
    text.replace(/\{\{([^{}]*)\}\}/g, (_, expression: string) => String(evaluate(expression, variables)))
  if (typeof value === 'string') {
    const whole = /^\{\{([^{}]*)\}\}$/.exec(value)
    return whole ? evaluate(whole[1] ?? '', variables) : inText(value)
  }
  if (Array.isArray(value)) return value.map((v) => interpolate(v, variables))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [inText(k), interpolate(v, variables)]))
  }
  return value
}
