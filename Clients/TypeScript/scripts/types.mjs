// Prints TypeScript types for the requests and answers of the operations that the client calls. It makes them from the OpenAPI document
// that `offersigner openapi` prints. Usage: types.mjs FILE
import { readFileSync } from 'node:fs'

const document = JSON.parse(readFileSync(process.argv[2]))
const operations = [
  '/v1/nonces', '/v1/signatures', '/v1/introductory-offers/signatures', '/v1/eligibility', '/v1/offers', '/v1/verify',
  '/v1/customers/{customerId}/transactions', '/v1/history/transactions', '/v1/history/receipts', '/v1/history/refresh',
]

const used = new Set()
const waiting = ['Problem']

function reference(path) {
  const name = path.split('/').at(-1)
  if (!used.has(name) && !waiting.includes(name)) waiting.push(name)
  return name
}

const union = (types) => [...new Set(types)].join(' | ')

function type(schema, indent) {
  if (schema.$ref) return reference(schema.$ref)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)))
  // A later version may have further values. With this type an editor proposes the known values, and the compiler accepts any text.
  const known = schema['x-known-values']?.map((value) => JSON.stringify(value))
  if (known) return union([...known, '(string & {})', ...[schema.type].flat().filter((word) => word === 'null')])
  const variants = schema.oneOf ?? schema.anyOf
  if (variants && !schema.properties) return union(variants.map((variant) => type(variant, indent)))
  const types = [schema.type ?? (schema.properties ? 'object' : [])].flat()
  const words = types.map((word) => {
    switch (word) {
      case 'integer': return 'number'
      case 'array': return `Array<${type(schema.items ?? {}, indent)}>`
      case 'object': return object(schema, indent)
      default: return word
    }
  })
  return words.length ? union(words) : 'unknown'
}

function comment(text, indent) {
  if (!text) return ''
  const lines = text.replaceAll('*/', '* /').trim().split('\n')
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

function object(schema, indent) {
  const inner = `${indent}  `
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const mark = schema.required?.includes(name) ? '' : '?'
    return `${comment(member.description, inner)}${inner}${name}${mark}: ${type(member, inner)}\n`
  })
  // A schema that does not forbid further members allows them.
  if (members.length && schema.additionalProperties === undefined) members.push(`${inner}[member: string]: unknown\n`)
  if (members.length) return `{\n${members.join('')}${indent}}`
  const values = typeof schema.additionalProperties === 'object' ? type(schema.additionalProperties, indent) : 'unknown'
  return `Record<string, ${values}>`
}

for (const path of operations) {
  const { requestBody, responses } = document.paths[path].post
  for (const holder of [requestBody, responses['200']]) reference(holder.content['application/json'].schema.$ref)
}
console.log('// Made by scripts/types.mjs from the OpenAPI document. Do not edit.')
while (waiting.length) {
  const name = waiting.shift()
  used.add(name)
  const schema = document.components.schemas[name]
  console.log(`\n${comment(schema.description, '')}export type ${name} = ${type(schema, '')}`)
}
