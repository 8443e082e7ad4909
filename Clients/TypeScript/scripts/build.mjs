// Compiles src/ into dist/, without what an earlier build has left there.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
// npm puts the packages of this folder before those of the machine. On Windows the command is a script.
const { error, status } = spawnSync('tsc', ['--project', '.'], { stdio: 'inherit', shell: process.platform === 'win32' })
if (error) console.error('tsc is missing: run npm install here, or install the package node-typescript of Debian')
process.exitCode = error ? 1 : status
