import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { launch } from './launch.mjs'

// Plain JavaScript for Node 20: a fresh clone runs it before anything is installed.

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** The pinned Node that runs the sources; the Node that runs this file only has to be 20 or newer. */
export const pinnedNode = path.join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')

const compileCache = path.join(root, 'node_modules', '.cache', 'compiled')

/** Runs the pinned Node with these arguments; resolves to its exit code. */
export const launchPinned = (args, options = {}) => launch(pinnedNode, args, { compileCache, ...options })

/** Runs a tool of node_modules by its script, in the root of the project. */
export const launchTool = (script, args, env) =>
  launchPinned([script, ...args], { cwd: root, env: { ...process.env, ...env } })
