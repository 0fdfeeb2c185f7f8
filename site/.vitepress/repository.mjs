import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the whole repository, and that of the documents. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
export const DOCS = resolve(ROOT, 'docs')

export const REPOSITORY = 'https://github.com/stowline/stowline'
export const BRANCH = 'main'

/** Returns a path with slashes, relative to a folder. */
export function under(folder, path) {
  return relative(folder, path).split(sep).join('/')
}

/** Returns the address of a file or folder at the code host. Fails if the repository does not have it. */
export function address(path) {
  if (!existsSync(path)) {
    throw new Error(`${under(ROOT, path)} is linked and does not exist`)
  }
  return `${REPOSITORY}/${statSync(path).isDirectory() ? 'tree' : 'blob'}/${BRANCH}/${under(ROOT, path)}`
}

/** Returns the path of a page of the site: a README is the index of its folder, but for that of docs, whose index is the landing page. */
export function pagePath(document) {
  return document === 'README.md' ? 'guides.md' : document.replace(/(^|\/)README\.md$/, '$1index.md')
}

/** Returns the anchor of a heading as code hosts make it, so that one link fits both. */
export function slug(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replace(/ /g, '-')
}

/** Returns the anchors of a Markdown file that is not part of the site. */
export function anchors(path) {
  const found = new Set()
  let fenced = false
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    fenced = /^\s*```/.test(line) ? !fenced : fenced
    const heading = fenced ? null : /^#{1,6} +(.*?) *#*$/.exec(line)
    if (heading) {
      const first = slug(heading[1].replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, ''))
      let anchor = first
      for (let n = 1; found.has(anchor); n++) {
        anchor = `${first}-${n}`
      }
      found.add(anchor)
    }
  }
  return found
}
