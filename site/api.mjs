// Makes the reference of the public packages in site/api by the JDK's javadoc. A build of the site takes it along if it is there.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const SITE = dirname(fileURLToPath(import.meta.url))
const ROOT = resolve(SITE, '..')
const OUT = join(SITE, 'api')

function read(file) {
  return readFileSync(join(ROOT, file), 'utf8')
}

/** The published modules of the ordinary build that have Java. */
const built = new Set([...read('pom.xml').split('<profiles>')[0].matchAll(/<module>([^<]+)<\/module>/g)].map(([, name]) => name))
const modules = [...read('bom/pom.xml').matchAll(/<artifactId>stowline-([a-z0-9-]+)<\/artifactId>/g)]
  .map(([, name]) => name)
  .filter((name) => built.has(name) && existsSync(join(ROOT, name, 'src/main/java')))

/** The packages that their users may name: those of implementations have internal in their names. */
function packages(module) {
  const sources = join(ROOT, module, 'src/main/java')
  return readdirSync(sources, { recursive: true })
    .filter((file) => file.endsWith('package-info.java'))
    .map((file) => dirname(file).replaceAll(/[\\/]/g, '.'))
    .filter((name) => !name.split('.').includes('internal'))
}

function run(program, args) {
  execFileSync(program, args, { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' })
}

const paths = 'target/api-class-path.txt'
run('mvn', ['-B', '-ntp', '-q', 'compile', 'dependency:build-classpath', `-Dmdep.outputFile=${paths}`, '-pl', modules.join(','), '-am'])
const libraries = new Set(modules.flatMap((module) => read(join(module, paths)).trim().split(delimiter)).filter((path) => path.endsWith('.jar')))

const sources = mkdtempSync(join(tmpdir(), 'stowline-api-'))
try {
  for (const module of modules) {
    cpSync(join(ROOT, module, 'src/main/java'), sources, {
      recursive: true,
      filter: (file) => !file.endsWith('module-info.java'),
    })
  }
  rmSync(OUT, { recursive: true, force: true })
  const javadoc = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', 'javadoc') : 'javadoc'
  const names = modules.flatMap(packages)
  run(javadoc, [
    '-quiet',
    '-Xdoclint:none',
    '-notimestamp',
    '-encoding', 'UTF-8',
    '-docencoding', 'UTF-8',
    '-d', OUT,
    '-sourcepath', sources,
    '-classpath', [...libraries].join(delimiter),
    '-windowtitle', 'Stowline',
    '-header', '<a href="{@docRoot}/../guides.html">Guides</a>',
    ...names,
  ])
  console.log(`${names.length} packages of ${modules.length} modules`)
} finally {
  rmSync(sources, { recursive: true, force: true })
}
