/** Faults of VitePress's own components that axe calls serious, each with the text that mends it. */
const MENDS = {
  // The caret of a group lies within the button that the group is.
  'VPSidebarItem.vue': [
    [':tabindex="item.items && 0"', ':tabindex="item.items && 0" :aria-expanded="collapsible ? !collapsed : undefined"'],
    ['role="button"\n        aria-label="toggle section"', 'aria-hidden="true"'],
    ['@keydown.enter="onCaretClick"\n        tabindex="0"', ''],
  ],
  // The whole box is called a button; a result is an option that contains a link with another name.
  'VPLocalSearchBox.vue': [
    [
      'role="button"\n      :aria-owns="results?.length ? \'localsearch-list\' : undefined"\n      aria-expanded="true"\n      aria-haspopup="listbox"',
      'role="dialog"\n      aria-modal="true"',
    ],
    [
      ':id="\'localsearch-item-\' + index"\n            :aria-selected="selectedIndex === index ? \'true\' : \'false\'"\n            role="option"',
      'role="none"',
    ],
    [
      ':aria-label="[...p.titles, p.title].join(\' > \')"',
      ':id="\'localsearch-item-\' + index"\n              :aria-selected="selectedIndex === index ? \'true\' : \'false\'"\n              role="option"',
    ],
    ['<span class="title-icon">#', '<span class="title-icon" aria-hidden="true">#'],
    ['class="search-keyboard-shortcuts"', 'class="search-keyboard-shortcuts" aria-hidden="true"'],
    ['ref="searchInput"', 'ref="searchInput"\n            role="combobox"\n            :aria-expanded="results?.length ? \'true\' : \'false\'"'],
  ],
  // The name of the button lacks the keys that it shows.
  'VPNavBarSearchButton.vue': [
    [` :aria-label="translate('button.buttonAriaLabel')"`, ''],
    ['<span class="DocSearch-Button-Container">', `<span class="visually-hidden">{{ translate('button.buttonText') }}</span>$&`],
    ['class="DocSearch-Button-Placeholder"', 'class="DocSearch-Button-Placeholder" aria-hidden="true"'],
    ['class="DocSearch-Button-Keys"', 'class="DocSearch-Button-Keys" aria-hidden="true"'],
  ],
}

/** A plugin that applies the mends, and fails if a release of VitePress has another text. */
export function mends() {
  return {
    name: 'stowline-mends',
    enforce: 'pre',
    transform(code, id) {
      const component = Object.keys(MENDS).find((name) => id.endsWith(`/theme-default/components/${name}`))
      return (MENDS[component] ?? []).reduce((text, [fault, mend]) => {
        if (!text.includes(fault)) {
          throw new Error(`${component} lacks the text of a mend in site/.vitepress/mends.mjs: ${fault}`)
        }
        return text.replace(fault, mend)
      }, code)
    },
  }
}
