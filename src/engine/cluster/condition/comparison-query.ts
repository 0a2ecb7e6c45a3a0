import type { Query } from '../../../cluster-client/cluster-client.ts'
import type { ComparePredicate } from '../../../query/plan/predicate.ts'
import { type Field, isNumber } from '../../../query/schema/field.ts'

/**
 * The query language of clusters does not compare fields with each other, so that a script does. It is always the same
 * text, which clusters compile once; fields and operator are its parameters. Texts are ordered by code points.
 */
const SOURCE = `
int order(String a, String b) {
  int most = a.length() < b.length() ? a.length() : b.length();
  for (int i = 0; i < most; i++) {
    int x = a.charAt(i);
    int y = b.charAt(i);
    if (x == y) continue;
    if (x >= 0xD800 && y >= 0xD800) {
      x = x >= 0xE000 ? x - 0x800 : x + 0x2000;
      y = y >= 0xE000 ? y - 0x800 : y + 0x2000;
    }
    return x - y;
  }
  return a.length() - b.length();
}
boolean holds(def a, def b, String kind, String op) {
  int c;
  if (kind == 'text') {
    c = order(a, b);
  } else if (kind == 'date') {
    c = Long.compare(a.toInstant().toEpochMilli(), b.toInstant().toEpochMilli());
  } else if (kind == 'number') {
    c = a < b ? -1 : a > b ? 1 : 0;
  } else {
    c = a.equals(b) ? 0 : 1;
  }
  if (op == '=') return c == 0;
  if (op == '<>') return c != 0;
  if (op == '<') return c < 0;
  if (op == '>') return c > 0;
  if (op == '<=') return c <= 0;
  return c >= 0;
}
if (!doc.containsKey(params.field) || !doc.containsKey(params.other)) return false;
for (def a : doc[params.field]) {
  for (def b : doc[params.other]) {
    if (holds(a, b, params.kind, params.op)) return true;
  }
}
return false;
`

export function compileComparison({ field, op, other }: ComparePredicate): Query {
  const params = { field: field.path, other: other.path, op, kind: kindOf(field) }
  return { script: { script: { lang: 'painless', source: SOURCE, params } } }
}

function kindOf({ type }: Field): 'number' | 'date' | 'text' | 'plain' {
  if (isNumber(type)) return 'number'
  return type === 'DATE' ? 'date' : type === 'KEYWORD' ? 'text' : 'plain'
}
