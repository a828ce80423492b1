/// <reference lib="dom" />
// Owns copying: the address of what is shown, and the lines that embed it in another page.

export function startCopying({ dataset: words }: HTMLElement): void {
  for (const lines of document.querySelectorAll('code[data-relative]')) lines.textContent = absolute(lines.textContent)
  const dialog = document.querySelector('dialog')
  const shown = dialog?.querySelector('[role="status"]')
  dialog?.querySelector('a')?.addEventListener('click', () => dialog.close())
  dialog?.querySelector('button')?.addEventListener('click', () => {
    if (shown) void copied(shown, shown.querySelector('code')?.textContent ?? '', words)
  })
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null
    const { copy, embed } = button?.dataset ?? {}
    const said = button?.parentElement?.querySelector('[role="status"]')
    if (said && copy !== undefined) void copied(said, new URL(copy, document.baseURI).href, words)
    if (embed === undefined) return
    shown?.replaceChildren(element('code', document.getElementById(embed)?.textContent ?? ''))
    dialog?.showModal()
  })
}

/** Makes addresses in lines for other pages absolute. They have no quote: only `&` means something in a quoted attribute. */
function absolute(lines: string): string {
  const addressOf = (to: string): string =>
    new URL(to.replaceAll('&amp;', '&'), document.baseURI).href.replaceAll('&', '&amp;')
  return lines.replaceAll(/src="([^"]*)"/g, (_, to: string) => `src="${addressOf(to)}"`)
}

/** Shows what is copied: if the button cannot copy it, readers find it selected. */
async function copied(said: Element, text: string, words: DOMStringMap): Promise<void> {
  const code = element('code', text)
  said.replaceChildren(code)
  const done = await isCopied(code)
  code.before(`${(done ? words['copied'] : words['notCopied']) ?? ''} `)
}

async function isCopied(code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent)
    return true
  } catch {
    // Copying is not allowed, or the page is not a secure one.
    getSelection()?.selectAllChildren(code)
    return document.execCommand('copy')
  }
}

/** An element; whatever text is put into it stays text. */
export function element(name: string, ...content: readonly (Node | string)[]): HTMLElement {
  const made = document.createElement(name)
  made.append(...content)
  return made
}
