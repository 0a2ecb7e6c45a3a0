#!/usr/bin/env node
import { homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { launch } from './launch.mjs'

// The command of the installed package: runs the bundled code with the flags and the environment of the server.

/** The first version whose `node:sqlite` waits for locks. */
const LEAST_NODE = [22, 16]

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1])) {
  console.error(`Periplus needs Node ${LEAST_NODE.join('.')} or later; this is Node ${process.versions.node}.`)
  process.exit(1)
}
const caches = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache')
process.exitCode = await launch(
  process.execPath,
  [fileURLToPath(new URL('../lib/main.js', import.meta.url)), ...process.argv.slice(2)],
  { compileCache: path.join(caches, 'periplus', 'compiled') },
)
