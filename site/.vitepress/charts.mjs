import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = resolve(dirname(fileURLToPath(import.meta.url)), 'cache/charts')
const DARK = '@media (prefers-color-scheme: dark) {'
const written = new Map()

/**
 * Returns a light and a dark copy of a chart. A chart knows the system's preference only, as a reader of this site may
 * choose otherwise: the rules for dark become unconditional in one copy, and are left out of the other. A chart without such
 * rules has one copy.
 */
export function charts(path) {
  if (!written.has(path)) {
    const svg = readFileSync(path, 'utf8')
    const [, width, height] = /viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"/.exec(svg)
    const copies = { width: Math.ceil(width), height: Math.ceil(height), light: path, dark: null }
    const start = svg.indexOf(DARK)
    if (start >= 0) {
      const end = closing(svg, start + DARK.length)
      const [before, rules, after] = [svg.slice(0, start), svg.slice(start + DARK.length, end), svg.slice(end + 1)]
      copies.light = write(path, 'light', before + after)
      copies.dark = write(path, 'dark', before + rules + after)
    }
    written.set(path, copies)
  }
  return written.get(path)
}

function closing(svg, from) {
  let depth = 1
  for (let i = from; i < svg.length; i++) {
    depth += svg[i] === '{' ? 1 : svg[i] === '}' ? -1 : 0
    if (depth === 0) {
      return i
    }
  }
  throw new Error('an unclosed rule in the style of a chart')
}

function write(path, variant, svg) {
  mkdirSync(FOLDER, { recursive: true })
  const copy = resolve(FOLDER, `${basename(path, '.svg')}.${variant}.svg`)
  writeFileSync(copy, svg)
  return copy
}

/** Returns the size of a picture, which keeps the page from jumping when it comes. */
export function sizeOfPng(path) {
  const header = readFileSync(path).subarray(0, 24)
  return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) }
}
