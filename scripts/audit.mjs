import { pathToFileURL } from 'node:url'
import { runNpm } from './install.mjs'

// `npm run audit`: checks the packages of the lock file for known vulnerabilities. Not part of `npm test`, which must
// not depend on the network. Exit codes: 0 none, 1 some, 2 nothing could be checked.

const SEVERITIES = ['critical', 'high', 'moderate', 'low', 'info']

/** Converts the output of `npm audit --json` to lines and an exit code. */
export function judgeAudit(printed) {
  const report = parsed(printed)
  const vulnerabilities = report?.vulnerabilities
  if (typeof vulnerabilities !== 'object' || vulnerabilities === null) {
    const status = Number.isInteger(report?.statusCode) ? ` (status ${report.statusCode})` : ''
    return { code: 2, lines: [`NOT CHECKED: the registry does not respond to vulnerability queries${status}.`] }
  }
  const found = Object.values(vulnerabilities).sort(
    (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  )
  if (found.length === 0) return { code: 0, lines: ['No known vulnerabilities in the packages of the lock file.'] }
  const lines = found.map(({ name, severity, range, via }) => {
    const titles = [via].flat().map((one) => (typeof one === 'string' ? `by ${one}` : one.title))
    return `${severity}: ${name} ${range}: ${titles.join('; ')}`
  })
  const count = found.length === 1 ? 'One package has' : `${found.length} packages have`
  return { code: 1, lines: [...lines, `${count} known vulnerabilities.`] }
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    // not JSON: no result
    return undefined
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { stdout } = runNpm(['audit', '--json', '--package-lock-only'], ['ignore', 'pipe', 'ignore'])
  const { code, lines } = judgeAudit(stdout ?? '')
  for (const line of lines) console.log(line)
  process.exitCode = code
}
