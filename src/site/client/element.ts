/// <reference lib="dom" />
// Owns making an element: whatever text is put into it, it stays text.
export function element(name: string, ...content: readonly (Node | string)[]): HTMLElement {
  const made = document.createElement(name)
  made.append(...content)
  return made
}
