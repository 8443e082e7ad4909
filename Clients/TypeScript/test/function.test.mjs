// Tests of examples/function.mjs. The sign-in and the service that it calls are replaced by functions of the test.
import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, mock, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'

const folder = await mkdtemp(join(tmpdir(), 'function-'))
after(() => rm(folder, { recursive: true }))
await cp(new URL('../examples/function.mjs', import.meta.url), join(folder, 'function.mjs'))
await writeFile(join(folder, 'sign-in.mjs'), 'export const signedInUser = (request) => globalThis.signIn(request)\n')
await mkdir(join(folder, 'node_modules'))
await symlink(fileURLToPath(new URL('..', import.meta.url)), join(folder, 'node_modules/offersigner-client'))
const { default: backend } = await import(pathToFileURL(join(folder, 'function.mjs')))

Object.assign(process.env, { SERVICE: 'http://service.invalid', ACCESS_KEY: 'osk_1_2', BUNDLE_ID: 'com.example.app' })
const signed = { status: 'signed', form: 'payload', offerId: 'winback50' }
let sent
beforeEach(() => {
  sent = []
  globalThis.signIn = async () => ({ id: 'u-123', appAccountToken: '7e3fb20b-4cdb-47cc-936d-99d65f608138' })
  mock.method(console, 'error', () => {})
  serve(() => Response.json({ results: [signed] }))
})

/** Lets the function `answer` take the place of the service. */
function serve(answer) {
  globalThis.fetch = async (url, init) => {
    sent.push({ url: String(url), key: init.headers.get('Idempotency-Key'), body: JSON.parse(init.body) })
    return answer(init)
  }
}

const silent = ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

function request(body, headers = {}) {
  return new Request('http://127.0.0.1/', { method: 'POST', headers: { 'Idempotency-Key': 'one', ...headers }, body, duplex: 'half' })
}

/** What the function answers while `seconds` pass on a clock of the test's own. */
async function afterSeconds(seconds, asked) {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  try {
    let answer
    const call = backend.fetch(asked).then((response) => (answer = response))
    for (let passed = 0; passed < seconds * 10 && !answer; passed++) {
      await new Promise(setImmediate)
      mock.timers.tick(100)
    }
    await new Promise(setImmediate)
    if (answer) await call
    return answer
  } finally {
    mock.timers.reset()
  }
}

test('an object is passed on, with what the session says', async () => {
  const answer = await backend.fetch(request('{"productId":"p","offerId":"winback50","customerId":"another"}'))
  assert.deepEqual([answer.status, await answer.json()], [200, signed])
  assert.deepEqual(sent, [{
    url: 'http://service.invalid/v1/signatures', key: 'u-123:one',
    body: {
      bundleId: 'com.example.app', customerId: 'u-123', appAccountToken: '7e3fb20b-4cdb-47cc-936d-99d65f608138',
      offers: [{ productId: 'p', offerId: 'winback50' }],
    },
  }])
})

test('a body that is no object is refused, and asks the service for nothing', async () => {
  for (const body of ['null', '[]', '[{"productId":"p"}]', '7', '"text"', 'true', '{', 'nonsense']) {
    const answer = await backend.fetch(request(body))
    assert.deepEqual([answer.status, (await answer.json()).code], [400, 'malformed-json'], body)
  }
  assert.equal((await backend.fetch(new Request('http://127.0.0.1/', { method: 'POST', headers: { 'Idempotency-Key': 'one' } }))).status, 400)
  assert.deepEqual(sent, [])
})

test('a service that is silent is asked again before the function gives up', async () => {
  serve(silent)
  assert.equal(await afterSeconds(7.5, request('{}')), undefined)
  sent = []
  const answer = await afterSeconds(9.5, request('{}'))
  assert.deepEqual([answer.status, (await answer.json()).code, answer.headers.get('Retry-After')], [503, 'unavailable', '1'])
  assert.equal(sent.length, 2)
  assert.deepEqual(sent[0], sent[1])
})

test('a body that does not arrive, and a sign-in that hangs, end', async () => {
  const never = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"productId":')) })
  const late = await afterSeconds(10.5, request(never))
  assert.deepEqual([late.status, (await late.json()).code], [503, 'unavailable'])
  globalThis.signIn = () => new Promise(() => {})
  assert.equal((await afterSeconds(10.5, request('{}'))).status, 503)
  assert.deepEqual(sent, [])
})
