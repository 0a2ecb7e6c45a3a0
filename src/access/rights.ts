import type { AccessTexts } from './access-texts.ts'
import { literalExpression, pathMatcher } from './path-pattern.ts'
import {
  type AccessHeader,
  coversVerb,
  type Permission,
  PermissionFault,
  parsePermission,
  type Verbs,
} from './permission.ts'

/** What a list of permissions allows. */
export interface Rights {
  /** Any matching rule allows. */
  allows(method: string, path: string): boolean
  /** The headers the permissions stand for. */
  readonly texts: AccessTexts
  /** Why permissions were left out, for the log. */
  readonly faults: readonly string[]
}

type Variables = ReadonlyMap<string, string>

interface Rule {
  readonly verbs: Verbs
  readonly matches: (path: string) => boolean
}

/** Reads permissions as they stand in roles, keys and tokens. What cannot be read, or names an unknown variable, gives no right. */
export function rightsOf(permissions: readonly string[]): Rights {
  const faults: string[] = []
  const attempt = <T>(read: () => T): readonly T[] => {
    try {
      return [read()]
    } catch (error) {
      if (!(error instanceof PermissionFault)) throw error
      faults.push(error.message)
      return []
    }
  }
  const parsed = permissions.flatMap((text) => attempt(() => parsePermission(text)))
  const variables = new Map(parsed.flatMap((one) => (one.kind === 'variable' ? [[one.name, one.value] as const] : [])))
  const rules = parsed.flatMap((one) => (one.kind === 'rule' ? attempt(() => makeRule(one, variables)) : []))
  return {
    allows: (method, path) => rules.some(({ verbs, matches }) => coversVerb(verbs, method) && matches(path)),
    texts: {
      ...textOf('partition', 'partition-filter'),
      ...textOf('columns', 'column-filter'),
      ...textOf('organisations', 'arlas-organization'),
    },
    faults,
  }

  /**
   * Several of one name widen each other. One that is left out widens nothing, but the header is there all the same:
   * a view does not open because a variable is missing.
   */
  function textOf(key: keyof AccessTexts, name: AccessHeader): AccessTexts {
    const named = parsed.flatMap((one) => (one.kind === 'header' && one.name === name ? [one.value] : []))
    if (named.length === 0) return {}
    const values = named.flatMap((value) => attempt(() => fillIn(value, variables, written[name])))
    return { [key]: values.join(',') }
  }
}

function makeRule({ expression, verbs }: Extract<Permission, { kind: 'rule' }>, variables: Variables): Rule {
  return { verbs, matches: pathMatcher(fillIn(expression, variables, literalExpression)) }
}

/** Puts variables in their places, each written so that it means itself there. */
function fillIn(text: string, variables: Variables, write: (value: string) => string): string {
  return text.replaceAll(/\$\{([^{}]*)\}/g, (_whole, name: string) => {
    const value = variables.get(name.trim())
    if (value === undefined) throw new PermissionFault('a variable is not known')
    return write(value)
  })
}

/** Lists have no way to write their own signs as plain text. */
const plainIn =
  (signs: RegExp) =>
  (value: string): string => {
    if (signs.test(value)) throw new PermissionFault('a variable of a list must not have the signs of the list')
    return value
  }

const written: Readonly<Record<AccessHeader, (value: string) => string>> = {
  'partition-filter': (value) => JSON.stringify(value).slice(1, -1),
  'column-filter': plainIn(/[,:*]/),
  'arlas-organization': plainIn(/,/),
}
