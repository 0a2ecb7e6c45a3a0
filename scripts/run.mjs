import path from 'node:path'
import { buildPage, buildPageFor } from './build-page.mjs'
import { ensureInstalled } from './install.mjs'
import { launchPinned, root } from './pinned-node.mjs'

// Entry point of the npm scripts: installs missing packages, then runs the sources with the pinned Node.
//   node scripts/run.mjs FILE.ts [ARGUMENT...]   a TypeScript entry
//   node scripts/run.mjs --check                 types and lint
//   node scripts/run.mjs --test [ARGUMENT...]    types, lint and tests; with arguments only the tests they select
//   node scripts/run.mjs --test --quick          the tests that need no Java and no browser, without the slowest files

const [task = '', ...args] = process.argv.slice(2)
await ensureInstalled(needsTools(task) ? 'all' : 'server')
process.exitCode = await perform(task, args)

/** Tests, checks and everything else than the server need the development tools. */
function needsTools(name) {
  return !name.startsWith('src/')
}

async function perform(name, rest) {
  if (name === '--check') return (await (await import('./test.mjs')).check()) ? 0 : 1
  if (name === '--test') {
    await buildPage()
    return (await import('./test.mjs')).test(rest)
  }
  await buildPageFor(rest)
  return launchPinned([path.join(root, name), ...rest])
}
