import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { pages } from './markdown.mjs'
import { mends } from './mends.mjs'
import { BRANCH, DOCS, REPOSITORY, pagePath, slug } from './repository.mjs'
import { NAMES, sidebar } from './sidebar.mjs'
import synonyms from './synonyms.json' with { type: 'json' }
import versions from './versions.json' with { type: 'json' }

const SITE = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5c7a"/>' +
  '<path d="M8 10h16M8 16h16M8 22h9" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>'

/** Where the host serves the newest version, and the folder below it of the version that is built. */
const root = process.env.SITE_ROOT ?? '/'
const version = process.env.SITE_VERSION ?? ''

/** The reference that `npm run api` has made, or nothing. */
const api = resolve(SITE, 'api')
const reference = existsSync(resolve(api, 'index.html'))

/** Modules that documents import: they are not in a folder below node_modules. */
const vue = dirname(createRequire(import.meta.url).resolve('vue/package.json'))

/**
 * Returns what the search finds of a page: its text, what the list of guides says that it covers, and other words for that.
 * A single decision is not found. Code has no colours here, which would take most of the time.
 */
function searchable(source, env, md) {
  if (/^internals\/decisions\/\d/.test(env.relativePath)) {
    return ''
  }
  md.options.highlight = null
  const words = [NAMES.get(env.relativePath)?.covers, synonyms[env.relativePath]].filter(Boolean)
  return md.render(source, env).replace('</h1>', `</h1>\n<p>${md.utils.escapeHtml(words.join('; '))}</p>`)
}

const gone = Object.keys(synonyms).filter((page) => !existsSync(resolve(DOCS, page)))
if (gone.length > 0) {
  throw new Error(`site/.vitepress/synonyms.json names pages that docs lacks: ${gone.join(', ')}`)
}

export default defineConfig({
  srcDir: '../docs',
  outDir: 'dist',
  base: root + version,
  lang: 'en',
  title: 'Stowline',
  description: 'A Java client for Azure Table, Queue and Blob storage',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(ICON)}` }]],
  rewrites: pagePath,
  markdown: {
    anchor: { slugify: slug },
    attrs: { disable: true },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: pages,
  },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/getting-started.html' },
      { text: 'Guides', link: '/guides.html' },
      { text: 'Configuration', link: '/configuration.html' },
      ...(reference ? [{ text: 'API', link: '/api/index.html', target: '_self' }] : []),
      { text: 'Changelog', link: `${REPOSITORY}/blob/${BRANCH}/CHANGELOG.md` },
      { component: 'Version', props: { versions, root, version } },
    ],
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        detailedView: 'auto',
        _render: searchable,
        miniSearch: { searchOptions: { boostDocument: (id) => (id.includes('/internals/') ? 0.3 : 1) } },
      },
    },
    editLink: { pattern: `${REPOSITORY}/edit/${BRANCH}/docs/:path`, text: 'Edit this page' },
    socialLinks: [{ icon: 'github', link: REPOSITORY, ariaLabel: 'Repository' }],
    externalLinkIcon: false,
    notFound: { title: 'Page not found', quote: 'The search finds it, or it belongs to another version.', linkText: 'Start', linkLabel: 'Go to the start page' },
  },
  transformPageData(page) {
    return { description: NAMES.get(page.filePath)?.covers ?? page.description }
  },
  buildEnd({ outDir }) {
    writeFileSync(resolve(outDir, 'versions.json'), JSON.stringify(versions))
    if (reference) {
      cpSync(api, resolve(outDir, 'api'), { recursive: true })
    }
  },
  vite: {
    plugins: [mends()],
    resolve: { alias: [{ find: /^vue(?=$|\/server-renderer$)/, replacement: vue }] },
    server: { fs: { allow: [SITE, DOCS] } },
    build: { chunkSizeWarningLimit: 4096 },
  },
})
