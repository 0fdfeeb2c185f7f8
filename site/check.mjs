// Opens the built site in headless Chromium: no page is wider than a phone, axe finds nothing serious, nothing is requested
// from another host, and the console stays empty. Pictures are in the folder `pictures`.
import { createReadStream, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Chromium } from './chromium.mjs'

const SITE = dirname(fileURLToPath(import.meta.url))
const DIST = resolve(SITE, 'dist')
const PICTURES = resolve(SITE, 'pictures')
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.png': 'image/png', '.json': 'application/json' }
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Pages of each kind: the landing page, guides, references with wide tables, charts, internals. */
const SAMPLES = ['index', 'serve-a-blob', 'operations', 'which-storage', 'queries-and-types', 'getting-started', 'configuration', 'performance', 'scale', 'practices', 'advisor', 'internals/index']
const SIZES = { desktop: [1280, 900], phone: [390, 844] }

const faults = []
let requests = 0

function serve() {
  const server = createServer((request, response) => {
    const path = decodeURI(new URL(request.url, 'http://site').pathname)
    const file = join(DIST, path.endsWith('/') ? `${path}index.html` : path)
    const found = file.startsWith(DIST) && existsSync(file) && statSync(file).isFile()
    const type = TYPES[extname(found ? file : '.html')] ?? 'application/octet-stream'
    response.writeHead(found ? 200 : 404, { 'content-type': `${type}; charset=utf-8` })
    createReadStream(found ? file : join(DIST, '404.html')).pipe(response)
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

async function overflow(browser, page) {
  const pixels = await browser.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  if (pixels > 0) {
    const widest = await browser.evaluate(`[...document.querySelectorAll('.vp-doc *')]
      .filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth && !e.closest('.table, .chart, pre'))
      .slice(0, 2).map(e => e.outerHTML.slice(0, 100)).join(' | ')`)
    faults.push(`${page}: ${pixels} pixels wider than the window: ${widest}`)
  }
}

async function accessible(browser, page) {
  await browser.evaluate(AXE)
  const found = await browser.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
    .filter(rule => ['serious', 'critical'].includes(rule.impact))
    .map(rule => rule.id + ' at ' + rule.nodes.length + ': ' + rule.nodes.slice(0, 2)
        .map(node => node.html.slice(0, 160) + ' ' + node.failureSummary.replace(/\\s+/g, ' ')).join(' | ')))`)
  faults.push(...found.map((violation) => `${page}: ${violation}`))
}

async function picture(browser, name, height = 0) {
  await browser.evaluate("document.querySelectorAll('img').forEach(image => (image.loading = 'eager'))")
  await browser.until("[...document.images].every(image => image.complete || !image.checkVisibility())")
  writeFileSync(join(PICTURES, `${name}.png`), await browser.picture(height))
}

/** Opens the search by its button, searches, and follows the first result. */
async function search(browser, name) {
  await browser.evaluate("document.querySelector('.VPNavBarSearch button').click()")
  await browser.until("document.querySelector('.VPLocalSearchBox input') === document.activeElement")
  await browser.type('lease')
  await browser.until("document.querySelectorAll('.VPLocalSearchBox .result').length > 3")
  await picture(browser, name)
  await overflow(browser, name)
  await accessible(browser, name)
  const first = await browser.evaluate("document.querySelector('.VPLocalSearchBox .result').getAttribute('href')")
  if (!/lease/.test(first)) {
    faults.push(`${name}: the first result of "lease" is ${first}`)
  }
}

/** The menu of a phone, with its choice of a version. */
async function menu(browser, name) {
  await browser.evaluate("document.querySelector('.VPNavBarHamburger').click()")
  await browser.until("document.querySelector('.VPNavScreen select')?.checkVisibility()")
  await browser.until("document.getAnimations().every(animation => animation.playState === 'finished')")
  await picture(browser, name)
  await overflow(browser, name)
  await accessible(browser, name)
}

/** The reader's choice of a theme goes before the system's, for charts, too. */
async function toggle(browser, origin) {
  await browser.show(1280, 900, false)
  await browser.open(`${origin}/performance.html`)
  const chart = "[...document.querySelectorAll('.chart img')].find(image => image.checkVisibility()).className"
  const before = await browser.evaluate(chart)
  await browser.evaluate("document.querySelector('.VPSwitchAppearance').click()")
  await browser.until("document.documentElement.classList.contains('dark')")
  const after = await browser.evaluate(chart)
  await browser.evaluate('localStorage.clear()')
  if (before !== 'in-light' || after !== 'in-dark') {
    faults.push(`charts of the themes: ${before}, ${after}`)
  }
}

const server = await serve()
const origin = `http://127.0.0.1:${server.address().port}`
const browser = await Chromium.start(process.env.CHROMIUM)
mkdirSync(PICTURES, { recursive: true })
let current = ''
browser.listen((method, params) => {
  if (method === 'Network.requestWillBeSent') {
    requests++
    if (!params.request.url.startsWith(`${origin}/`) && !params.request.url.startsWith('data:')) {
      faults.push(`${current}: requests ${params.request.url}`)
    }
  } else if (method === 'Runtime.exceptionThrown') {
    faults.push(`${current}: ${params.exceptionDetails.exception?.description ?? params.exceptionDetails.text}`)
  } else if (method === 'Log.entryAdded' && !['verbose', 'info'].includes(params.entry.level)) {
    faults.push(`${current}: ${params.entry.text} ${params.entry.url ?? ''}`)
  } else if (method === 'Runtime.consoleAPICalled' && ['error', 'warning'].includes(params.type)) {
    faults.push(`${current}: ${params.args.map((arg) => arg.value).join(' ')}`)
  }
})
try {
  for (const [size, [width, height]] of Object.entries(SIZES)) {
    for (const theme of ['light', 'dark']) {
      await browser.show(width, height, theme === 'dark')
      for (const page of SAMPLES) {
        current = `${page} (${size}, ${theme})`
        await browser.open(`${origin}/${page}.html`)
        await overflow(browser, current)
        await accessible(browser, current)
        await picture(browser, `${page.replace('/', '-')}-${size}-${theme}`, 3000)
      }
      current = `search (${size}, ${theme})`
      await search(browser, `search-${size}-${theme}`)
      if (size === 'phone') {
        current = `menu (${size}, ${theme})`
        await browser.open(`${origin}/blobs.html`)
        await menu(browser, `menu-${size}-${theme}`)
      }
    }
  }
  current = 'toggle'
  await toggle(browser, origin)
  await browser.show(...SIZES.phone, false)
  for (const page of readdirSync(DIST, { recursive: true }).filter((file) => file.endsWith('.html') && !/decisions\/\d|404|^api[\\/]/.test(file))) {
    current = page
    await browser.open(`${origin}/${page}`)
    await overflow(browser, `${page} (phone)`)
  }
} finally {
  await browser.close()
  server.close()
  server.closeAllConnections()
}
if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exit(1)
}
console.log(`${requests} requests, all to the site itself; no serious finding of axe; no page wider than a phone`)
