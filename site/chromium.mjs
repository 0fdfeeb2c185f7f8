import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Headless Chromium with one page, over the pipe of its DevTools protocol. */
export class Chromium {
  #process
  #profile = mkdtempSync(join(tmpdir(), 'site-'))
  #calls = new Map()
  #listeners = []
  #next = 1
  #session

  static async start(program = 'chromium') {
    const browser = new Chromium()
    await browser.#start(program)
    return browser
  }

  async #start(program) {
    this.#process = spawn(
      program,
      ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars', '--remote-debugging-pipe', `--user-data-dir=${this.#profile}`],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
    )
    const ended = (why) => [...this.#calls.values()].forEach(({ reject }) => reject(new Error(`chromium has ended: ${why}`)))
    this.#process.on('error', (error) => ended(error.message)).on('exit', (code) => ended(`status ${code}`))
    this.#process.stdio[3].on('error', () => {})
    let rest = ''
    this.#process.stdio[4].setEncoding('utf8').on('data', (data) => {
      const messages = (rest + data).split('\0')
      rest = messages.pop()
      messages.forEach((message) => this.#receive(JSON.parse(message)))
    })
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' })
    this.#session = (await this.send('Target.attachToTarget', { targetId, flatten: true })).sessionId
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) {
      await this.send(`${domain}.enable`)
    }
  }

  #receive({ id, result, error, method, params }) {
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    if (call) {
      error ? call.reject(new Error(`${call.method}: ${error.message}`)) : call.resolve(result)
    } else {
      this.#listeners.forEach((listener) => listener(method, params))
    }
  }

  send(method, params = {}) {
    const id = this.#next++
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject, method })
      this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.#session })}\0`)
    })
  }

  /** Hands each event of the page to the listener. */
  listen(listener) {
    this.#listeners.push(listener)
  }

  async show(width, height, dark) {
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 })
    await this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }] })
  }

  /** Opens a page, and returns when its script has taken it over. */
  async open(url) {
    const loaded = new Promise((resolve) => this.listen((method) => method === 'Page.loadEventFired' && resolve()))
    await this.send('Page.navigate', { url })
    await loaded
    await this.until("document.querySelector('#app')?.__vue_app__ !== undefined && document.fonts.status === 'loaded'")
  }

  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    if (exceptionDetails) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    }
    return result.value
  }

  /** Returns when the condition holds, which the page checks at each of its frames. */
  async until(condition) {
    const holds = await this.evaluate(`new Promise(resolve => {
      const end = Date.now() + 60_000
      const check = () => (${condition}) ? resolve(true) : Date.now() > end ? resolve(false) : setTimeout(check, 16)
      check()
    })`)
    if (!holds) {
      throw new Error(`never true: ${condition}`)
    }
  }

  async type(text) {
    await this.send('Input.insertText', { text })
  }

  /** Returns a PNG of the window, or of the whole page up to a height. */
  async picture(height = 0) {
    const page = height ? Math.min(height, await this.evaluate('document.documentElement.scrollHeight')) : 0
    const width = await this.evaluate('document.documentElement.clientWidth')
    const clip = height ? { clip: { x: 0, y: 0, width, height: page, scale: 1 }, captureBeyondViewport: true } : {}
    const { data } = await this.send('Page.captureScreenshot', { format: 'png', ...clip })
    return Buffer.from(data, 'base64')
  }

  close() {
    return new Promise((resolve) => {
      this.#process.on('exit', () => {
        rmSync(this.#profile, { recursive: true, force: true, maxRetries: 15 })
        resolve()
      })
      this.#process.kill()
    })
  }
}
