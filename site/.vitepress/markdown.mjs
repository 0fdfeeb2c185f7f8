import { dirname, resolve } from 'node:path'
import { charts, sizeOfPng } from './charts.mjs'
import { DOCS, address, pagePath, under } from './repository.mjs'

/** Makes pages of Markdown that is written for a code host. */
export function pages(md) {
  // Names of files, such as README.md, are no hosts.
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
  md.core.ruler.push('links', ({ tokens, env }) => {
    for (const token of tokens.flatMap((block) => block.children ?? [])) {
      if (token.type === 'link_open') {
        token.attrSet('href', link(token.attrGet('href'), env))
      }
    }
  })
  md.core.ruler.push('tables', ({ tokens, env }) => {
    for (let i = 0; i < tokens.length; i++) {
      if (tokens[i].type === 'table_open' && table(tokens, i) > 5 && env.frontmatter) {
        // The outline leaves its place to the widest tables.
        env.frontmatter.aside = false
      }
    }
  })
  md.core.ruler.push('indented', ({ tokens }) => {
    for (const token of tokens.filter(({ type }) => type === 'code_block')) {
      Object.assign(token, { type: 'fence', info: 'text' })
    }
  })
  md.renderer.rules.code_inline = (tokens, i) => `<code v-pre>${breakable(tokens[i].content).map(md.utils.escapeHtml).join('<wbr>')}</code>`
  md.renderer.rules.table_open = (tokens, i, options, env, self) => `<div class="table">${self.renderToken(tokens, i, options)}`
  md.renderer.rules.table_close = () => '</table></div>\n'
  md.renderer.rules.image = (tokens, i, options, env) => image(tokens[i], env, md.utils.escapeHtml)
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, i, options, env, self) => {
    const file = /^\w+ ([\w.]+)$/.exec(tokens[i].info)?.[1]
    const code = fence(tokens, i, options, env, self)
    return file ? `<div class="file"><div class="name">${file}</div>${code}</div>` : code
  }
}

/** Parts between which code may break: after punctuation, and between the words of a long name. */
function breakable(code) {
  return code
    .split(/(?<=\w[.(_/,:=?&])(?=\w)/)
    .flatMap((part) => (part.length > 18 ? part.split(/(?<=[a-z0-9])(?=[A-Z])/) : [part]))
}

function folder(env) {
  return dirname(env.realPath ?? env.path)
}

/** A link to a document leads to its page, one to another file of the repository to the code host. */
function link(href, env) {
  if (/^([a-z]+:|#|\/)/i.test(href)) {
    return href
  }
  const [path, anchor] = href.split('#')
  const target = resolve(folder(env), decodeURI(path))
  const document = under(DOCS, target)
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (document.startsWith('..') || !document.endsWith('.md')) {
    return address(target) + hash
  }
  const page = resolve(DOCS, pagePath(document))
  const relative = under(folder(env), page)
  return (relative.startsWith('.') ? relative : `./${relative}`) + hash
}

/**
 * A table of three columns and more is shown as blocks on a phone, a row each, whose cells have the names of their columns; an
 * empty first cell shows the one above it there.
 * One of figures scrolls there, its first column stays. Returns how many columns there are.
 */
function table(tokens, open) {
  const labels = []
  const last = []
  let figures = false
  let column = 0
  let above = ''
  for (let i = open; tokens[i].type !== 'table_close'; i++) {
    const token = tokens[i]
    if (token.type === 'th_open') {
      labels.push(text(tokens[i + 1]))
      figures ||= /right/.test(token.attrGet('style') ?? '')
      token.attrSet('scope', 'col')
    } else if (token.type === 'tr_open') {
      column = 0
    } else if (token.type === 'td_open') {
      const content = text(tokens[i + 1])
      token.attrSet('data-label', labels[column++])
      if (column === 1 && content === '') {
        token.attrSet('data-above', above)
      } else if (column === 1) {
        above = content
      }
      if (column === labels.length) {
        last.push(content.length)
      }
    }
  }
  if (labels.length > 2) {
    tokens[open].attrJoin('class', figures ? 'figures' : 'rows')
  }
  if (last.reduce((sum, length) => sum + length, 0) > 20 * last.length) {
    tokens[open].attrJoin('class', 'prose')
  }
  return labels.length
}

function text(inline) {
  return inline.children.map((token) => token.content).join('')
}

function image(token, env, escape) {
  const path = resolve(folder(env), token.attrGet('src'))
  const alt = escape(token.content)
  const tag = (file, { width, height }, name) => {
    const src = under(folder(env), file)
    return `<img src="${src.startsWith('.') ? src : `./${src}`}" alt="${alt}" width="${width}" height="${height}" loading="lazy" class="${name}">`
  }
  if (!path.endsWith('.svg')) {
    return tag(path, sizeOfPng(path), 'picture')
  }
  const copies = charts(path)
  return copies.dark
    ? `<span class="chart">${tag(copies.light, copies, 'in-light')}${tag(copies.dark, copies, 'in-dark')}</span>`
    : `<span class="chart">${tag(copies.light, copies, 'always-light')}</span>`
}
