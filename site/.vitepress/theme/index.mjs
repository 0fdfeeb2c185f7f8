import DefaultTheme from 'vitepress/theme-without-fonts'
import { onMounted, watch, nextTick, h } from 'vue'
import { useRoute } from 'vitepress'
import Version from './Version.vue'
import './style.css'

/** Lets the keyboard reach what scrolls sideways, and nothing else. */
function scrollers() {
  for (const frame of document.querySelectorAll('.vp-doc .table, .vp-doc .chart')) {
    if (frame.scrollWidth > frame.clientWidth) {
      frame.tabIndex = 0
    } else {
      frame.removeAttribute('tabindex')
    }
  }
}

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('Version', Version)
  },
  setup() {
    const route = useRoute()
    onMounted(() => {
      scrollers()
      window.addEventListener('resize', scrollers)
      watch(() => route.path, () => nextTick(scrollers))
    })
  },
}
