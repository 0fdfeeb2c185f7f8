import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { DOCS, pagePath } from './repository.mjs'

/** The groups of the sidebar and their pages. A name that ends with * takes each page that begins so and is not listed. */
const GROUPS = {
  Start: [
    'README', 'getting-started', 'which-storage', 'migration', 'sdk-clients', 'beside-the-azure-sdk', 'connecting', 'network-settings',
    'two-accounts', 'writes-and-outcomes', 'read-back', 'testing', 'kotlin', 'native-image', 'registrations',
  ],
  Tables: [
    'the-writer', 'writer-in-depth', 'queries-and-types', 'queries', 'changes', 'keys-and-partitions', 'key-costs', 'related-data',
    'index-tables', 'import-with-indexes', 'index-repair', 'index-guarantees', 'outbox', 'time-series', 'journal', 'journal-replay',
    'journal-files', 'table-files', 'table-file-format', 'spark', 'spark-reads',
  ],
  Queues: ['queues', 'consumers', 'poison-messages', 'message-envelopes', 'sharded-queues'],
  Blobs: [
    'blobs', 'serve-a-blob', 'blob-tags-and-versions', 'which-blob', 'records', 'reading-records', 'logback', 'blob-transfers',
    'compressed-blobs', 'blob-directories', 'directory-names', 'blob-copies', 'hot-blobs', 'cache', 'leases', 'signatures',
    'signature-refusals', 'cors',
  ],
  Spring: ['spring-boot', 'spring-operations', 'spring-*'],
  Operations: [
    'operations', 'slow-writes', 'security-notes', 'retry-and-limits', 'rate-targets', 'observability', 'attempts-and-verbs', 'traces',
    'advisor', 'stress-test', 'scale', 'retry-storms', 'ring', 'ring-growth', 'performance', 'network-and-place', 'network-probe', 'threading', 'start-up',
  ],
  Reference: [
    'compatibility', 'faq', 'configuration', 'spring-boot-properties', 'exceptions', 'practices', 'advisor-thresholds', 'strict-mode',
  ],
  Internals: [
    'internals/README', 'internals/contract', 'internals/outcome-tables', 'internals/ring-protocol',
    'internals/simulation', 'internals/ledger', 'internals/recordings', 'internals/performance',
    'internals/peer-failures', 'internals/*', 'internals/decisions/README',
  ],
}

/** Pages that are reached otherwise. */
const APART = ['index']

/** Names and contents of pages by document, from the tables of the two pages that list them. */
export const NAMES = new Map(
  ['README.md', 'internals/README.md'].flatMap((page) => {
    const folder = page.replace('README.md', '')
    return [...readFileSync(resolve(DOCS, page), 'utf8').matchAll(/^\| \[([^\]]+)\]\(([\w./-]+\.md)\) \| (.+) \|$/gm)].map(
      ([, name, path, covers]) => [folder + path, { name, covers: covers.replace(/`/g, '') }],
    )
  }),
)
NAMES.set('README.md', { name: 'All guides', covers: 'every guide and page of reference, by what it covers' })
NAMES.set('internals/README.md', { name: 'Architecture', covers: 'the rooms of the code, for contributors' })

function documents() {
  const names = (folder) =>
    readdirSync(resolve(DOCS, folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => folder + file.slice(0, -3))
  return [...names(''), ...names('internals/')].filter((page) => !APART.includes(page))
}

function expand(entries, all, listed) {
  return entries.flatMap((entry) =>
    entry.endsWith('*') ? all.filter((page) => page.startsWith(entry.slice(0, -1)) && !listed.has(page)).sort() : [entry],
  )
}

/** Returns the sidebar. Fails if a document is in no group, or if a group names a document that does not exist. */
export function sidebar() {
  const all = documents()
  const listed = new Set(Object.values(GROUPS).flat())
  const placed = new Set()
  const groups = Object.entries(GROUPS).map(([text, entries]) => ({
    text,
    collapsed: false,
    items: expand(entries, all, listed).map((page) => {
      const document = `${page}.md`
      placed.add(page)
      return { text: NAMES.get(document)?.name ?? (all.includes(page) ? title(document) : page), link: `/${pagePath(document).replace(/index\.md$/, '').replace(/\.md$/, '.html')}` }
    }),
  }))
  const gone = [...placed].filter((page) => !all.includes(page) && page !== 'internals/decisions/README')
  if (gone.length > 0) {
    throw new Error(`site/.vitepress/sidebar.mjs names pages that docs lacks: ${gone.join(', ')}`)
  }
  const missing = all.filter((page) => !placed.has(page))
  if (missing.length > 0) {
    throw new Error(`docs/${missing.join('.md, docs/')}.md: in no group of the sidebar. Add it to one in site/.vitepress/sidebar.mjs`)
  }
  return groups
}

function title(document) {
  return /^# (.+)$/m.exec(readFileSync(resolve(DOCS, document), 'utf8'))[1].replace(/`/g, '')
}
