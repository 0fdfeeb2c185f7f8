// Checks the built pages: every link to a page, an anchor or a file of the repository, and the figures of the landing page.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BRANCH, DOCS, REPOSITORY, ROOT, anchors } from './.vitepress/repository.mjs'

const DIST = resolve(dirname(fileURLToPath(import.meta.url)), 'dist')
const BASE = (process.env.SITE_ROOT ?? '/') + (process.env.SITE_VERSION ?? '')
/** Its pages are javadoc's, which checks their links. */
const REFERENCE = 'api/'
const CODE_HOST = new RegExp(`^${REPOSITORY}/(?:blob|tree|edit)/${BRANCH}/([^#]*)(?:#(.*))?$`)

const pages = new Map(
  readdirSync(DIST, { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.html') && !file.startsWith(REFERENCE))
    .map((file) => [file, readFileSync(join(DIST, file), 'utf8')]),
)
const ids = new Map([...pages].map(([page, html]) => [page, new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))]))
const outside = new Map()
const faults = new Set()
let links = 0

/** Returns why a link is broken, or nothing. */
function fault(page, href) {
  const repository = CODE_HOST.exec(href)
  if (repository) {
    const [, path, anchor] = repository
    const file = resolve(ROOT, decodeURI(path))
    if (!existsSync(file)) {
      return 'the repository has no such file'
    }
    if (anchor && path.endsWith('.md')) {
      outside.set(file, outside.get(file) ?? anchors(file))
      return outside.get(file).has(decodeURIComponent(anchor)) ? null : 'the file has no such heading'
    }
    return null
  }
  if (/^[a-z]+:/i.test(href)) {
    return /^(https?|mailto):/.test(href) ? null : 'not a link of the web'
  }
  const { pathname, hash } = new URL(href, `http://site${BASE}${page}`)
  if (!pathname.startsWith(BASE)) {
    return 'outside the site'
  }
  const path = decodeURI(pathname.slice(BASE.length))
  const target = path === '' || path.endsWith('/') ? `${path}index.html` : path
  if (!target.endsWith('.html') || target.startsWith(REFERENCE)) {
    return existsSync(join(DIST, target)) ? null : 'no such file'
  }
  if (!pages.has(target)) {
    return 'no such page'
  }
  const anchor = decodeURIComponent(hash.slice(1))
  return anchor === '' || ids.get(target).has(anchor) ? null : 'the page has no such heading'
}

for (const [page, html] of pages) {
  if (page === '404.html') {
    continue
  }
  for (const [, href] of html.matchAll(/<a\b[^>]*? href="([^"]*)"/g)) {
    links++
    const why = fault(page, href.replaceAll('&amp;', '&'))
    if (why) {
      faults.add(`${page}: ${href}: ${why}`)
    }
  }
}

// A figure of the landing page has its numbers from the page that it links.
let figures = 0
for (const [row, target] of readFileSync(join(DOCS, 'index.md'), 'utf8').matchAll(/^\| \*\*.*\]\(([\w/.-]+\.md)(?:#[\w-]+)?\) \|$/gm)) {
  const source = readFileSync(join(DOCS, target), 'utf8')
  for (const [number] of row.matchAll(/\d[\d,]+/g)) {
    figures++
    if (!source.includes(number)) {
      faults.add(`index.md: the figure ${number} is not in ${target}`)
    }
  }
}
if (figures === 0) {
  faults.add('index.md: no figures')
}

if (faults.size > 0) {
  console.error([...faults].join('\n'))
  process.exit(1)
}
console.log(`${links} links of ${pages.size} pages lead somewhere; ${figures} numbers of the landing page are in their sources`)
