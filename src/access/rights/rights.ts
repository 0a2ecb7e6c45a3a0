import type { AccessTexts } from '../access-texts.ts'
import { literalExpression, pathMatcher } from '../path-pattern.ts'
import {
  type AccessHeader,
  coversVerb,
  type Permission,
  PermissionFault,
  parsePermission,
  type Verbs,
} from '../permission.ts'

/** Rights granted by a list of permissions. */
export interface Rights {
  /** True if any rule matches. */
  allows(method: string, path: string): boolean
  /** Access headers set by the permissions. */
  readonly texts: AccessTexts
  /** Reasons why permissions were ignored, for the log. */
  readonly faults: readonly string[]
}

type Variables = ReadonlyMap<string, string>

interface Rule {
  readonly verbs: Verbs
  readonly matches: (path: string) => boolean
}

/**
 * Parses the permissions of roles, keys and tokens. A permission that is invalid or uses an unknown variable is
 * ignored.
 */
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
   * Joins the values of a header: each one widens the view. The header is set even if all its values are ignored, so
   * that a missing variable never opens a view.
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

/** Substitutes variables, escaped by `write` for the surrounding syntax. */
function fillIn(text: string, variables: Variables, write: (value: string) => string): string {
  return text.replaceAll(/\$\{([^{}]*)\}/g, (_whole, name: string) => {
    const value = variables.get(name.trim())
    if (value === undefined) throw new PermissionFault('a variable is not defined')
    return write(value)
  })
}

/** List headers have no escape syntax, so values with separators are refused. */
const plainIn =
  (signs: RegExp) =>
  (value: string): string => {
    if (signs.test(value)) throw new PermissionFault('a variable in a list must not contain separators or wildcards')
    return value
  }

const written: Readonly<Record<AccessHeader, (value: string) => string>> = {
  'partition-filter': (value) => JSON.stringify(value).slice(1, -1),
  'column-filter': plainIn(/[,:*]/),
  'arlas-organization': plainIn(/,/),
}
