import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { makePackage, npmCommand } from './make-package.ts'
import { releaseFaults } from './release-notes.ts'

const HELP = `npm run release -- --dry-run [--skip-tests] [--output DIR]

Checks that a version can be released, and makes its package: the changelog and package.json name the same version, the
working tree has no changes, all tests pass, the licences of all dependencies were agreed to, and the installed package
says its version. Without --dry-run it then also adds the tag vVERSION. It publishes nothing.

  --dry-run      change nothing
  --skip-tests   leave out "npm test", for example because it was run just now
  --output DIR   folder of the package (default: the current directory)`

const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    'skip-tests': { type: 'boolean', default: false },
    output: { type: 'string', default: '.' },
    help: { type: 'boolean', default: false },
  },
})
const root = path.resolve(import.meta.dirname, '..', '..')

if (values.help) console.log(HELP)
else process.exitCode = await release()

async function release(): Promise<number> {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const faults = releaseFaults({
    version,
    changelog: readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'),
    changed: git('status', '--porcelain'),
    tags: git('tag').split('\n'),
  })
  if (!(await report('version, changelog, working tree', () => faults))) return 1
  if (values['skip-tests']) console.log('left out  tests')
  else if (!(await report('tests', runTests))) return 1
  // refuses licences that were not agreed to, and writes the bill of materials
  const output = path.resolve(values.output)
  if (!(await report('package, licences, bill of materials', () => makeIt(output, version)))) return 1
  if (values['dry-run']) console.log(`Version ${version} can be released: run npm run release without --dry-run.`)
  else {
    git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`)
    console.log(`Added the tag v${version}.`)
  }
  return 0
}

/** Prints the outcome of a check; true if it found no faults. */
async function report(name: string, check: () => readonly string[] | Promise<readonly string[]>): Promise<boolean> {
  const found = await check()
  console.log(`${found.length === 0 ? 'ok       ' : 'FAIL     '} ${name}`)
  for (const fault of found) console.log(`          ${fault}`)
  return found.length === 0
}

/** The tests include those of the installed package and of the commands of the documentation. */
function runTests(): readonly string[] {
  const [command, ...begin] = npmCommand()
  const { status } = spawnSync(command, [...begin, 'test'], { cwd: root, stdio: 'inherit' })
  return status === 0 ? [] : ['npm test failed: see above']
}

async function makeIt(output: string, version: string): Promise<readonly string[]> {
  try {
    const tarball = await makePackage({ root, output })
    return existsSync(tarball) && tarball.endsWith(`-${version}.tgz`) ? [] : [`unexpected package ${tarball}`]
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
