/// <reference lib="dom" />
// Owns copying: the address of what is shown, and the lines that embed it in another page.
import type { Scene } from '../client-data.ts'
import { html } from '../html.ts'
import { embedLines, EMBEDS, isEmbedName, type EmbedName } from '../shared/embed-sizes.ts'
import { elementsOf } from './elements.ts'

export function startCopying(scene: Scene): void {
  for (const lines of document.querySelectorAll('code[data-relative]')) lines.textContent = absolute(lines.textContent)
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null
    const { copy, embed } = button?.dataset ?? {}
    if (button !== null && copy !== undefined) void copyAddress(scene, button, copy)
    if (embed !== undefined && isEmbedName(embed))
      openEmbed(scene, embed, button?.closest('section')?.querySelector('h2')?.textContent ?? '')
  })
}

/** Lines for other pages, whose addresses begin at this one. */
function absolute(lines: string): string {
  return lines.replaceAll(/src="([^"]*)"/g, (_, to: string) => html`src="${new URL(to, document.baseURI).href}"`.text)
}

/** The address is shown: who cannot copy it by a button can select it. */
async function copyAddress({ w }: Scene, button: HTMLButtonElement, given: string): Promise<void> {
  const address = new URL(given, document.baseURI).href
  const words = (await isCopied(address)) ? w.copied : w.notCopied
  const found = button.parentElement?.querySelector('[role="status"]')
  const said = found ?? button.parentElement?.appendChild(document.createElement('span'))
  said?.setAttribute('role', 'status')
  said?.replaceChildren(elementsOf(html` ${words} <code>${address}</code>`))
}

async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Not allowed, or the page is not a secure one.
    return isCopiedBySelection(text)
  }
}

function isCopiedBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  const before = document.activeElement
  field.className = 'visually-hidden'
  field.value = text
  // What is outside of an open dialog cannot be selected.
  const place = document.querySelector('dialog[open]') ?? document.body
  place.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return done
}

function openEmbed(scene: Scene, name: EmbedName, title: string): void {
  const { w } = scene
  const base = new URL(scene.base || '.', document.baseURI).href
  const content = elementsOf(
    html`<dialog class="embed" aria-labelledby="embed-heading"><h2 id="embed-heading">${w.embed}</h2><p>${w.embedText}</p><label>${w.snippet}<textarea readonly rows="5" spellcheck="false"></textarea></label><p class="actions"><button type="button" data-do="copy">${w.copy}</button> <button type="button" data-do="close">${w.close}</button> <a class="target" href="#share" data-do="close">${w.more}</a> <span role="status"></span></p></dialog>`,
  )
  const dialog = content.querySelector('dialog')
  const [field, said] = [content.querySelector('textarea'), content.querySelector('[role="status"]')]
  if (dialog === null || field === null || said === null) return
  field.value = embedLines(name, `${base}${EMBEDS[name].path}`, title)
  for (const closer of content.querySelectorAll('[data-do="close"]'))
    closer.addEventListener('click', () => dialog.close())
  content.querySelector('[data-do="copy"]')?.addEventListener('click', () => {
    field.select()
    void isCopied(field.value).then((done) => (said.textContent = done ? w.copied : ''))
  })
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(content)
  dialog.showModal()
}
