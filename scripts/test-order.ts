import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The order of the projects: those without services first, because services start meanwhile. */
const PROJECTS = ['embedded', 'files', 'openapi', 'browser', 'cluster']

/** Files that take longest, longest first. They are the first of their project, so that none runs alone at the end. */
export const LONG: readonly string[] = [
  'test/openapi/schemathesis.test.ts',
  'test/hostile/hostile.test.ts',
  'test/conformance/vectors.test.ts',
  'test/conformance/subscription-vectors.test.ts',
  'test/http/leaks/leaks.test.ts',
  'test/fault/tag-takeover.test.ts',
  'test/http/subscriptions/subscription-rights.test.ts',
  'test/properties/filter-oracle.test.ts',
  'test/fault/cluster-node-loss.test.ts',
  'test/browser/first-look.test.ts',
  'test/browser/filters.test.ts',
  'test/crash/tagging.test.ts',
  'test/crash/storage.test.ts',
  'test/crash/durability.test.ts',
  'test/files/export-memory.test.ts',
]

/** Files that mostly wait for processes of their own. */
const WAITING = /^(?:test\/(?:fault|crash|dialects|cli|docs)|scripts)\/|kafka/

/** Orders test files so that all cores are busy from start to end: files that wait are spread among the others. */
export class TestOrder extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications)
    // a project that is not listed comes last
    const names = new Set([...PROJECTS, ...sorted.map(({ project }) => project.name)])
    const path = ({ project, moduleId }: TestSpecification): string => moduleId.slice(project.config.root.length + 1)
    return [...names].flatMap((name) => {
      const files = sorted.filter(({ project }) => project.name === name)
      const long = LONG.flatMap((one) => files.filter((file) => path(file) === one))
      const others = files.filter((file) => !long.includes(file))
      const waits = (file: TestSpecification): boolean => WAITING.test(path(file))
      return [
        ...long,
        ...spread(
          others.filter(waits),
          others.filter((file) => !waits(file)),
        ),
      ]
    })
  }
}

/** Puts `few` evenly among the first two thirds of `many`, so that none of them is the last. */
function spread<T>(few: readonly T[], many: readonly T[]): readonly T[] {
  const step = Math.floor((many.length * 2) / 3 / Math.max(few.length, 1))
  const begin = few.flatMap((one, i) => [one, ...many.slice(i * step, (i + 1) * step)])
  return [...begin, ...many.slice(few.length * step)]
}
