// Compiles src/ into dist/. It empties dist/ first, so that no files of an earlier build stay there.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
// npm sets PATH so that a `tsc` in this folder's node_modules goes before that of the machine. On Windows `tsc` is a script, which needs
// a shell.
const { error, status } = spawnSync('tsc', ['--project', '.'], { stdio: 'inherit', shell: process.platform === 'win32' })
if (error) console.error('tsc is missing: run npm install here, or install the package node-typescript of Debian')
process.exitCode = error ? 1 : status
