import { describe, expect, it } from 'vitest'
import { svgFault } from '../../../src/builder/commands/svg-fault.ts'

const svg = (inside: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9" ${attributes}>${inside}</svg>`

describe('a logo may be', () => {
  it.each([
    ['shapes', svg('<title>A &amp; B</title><path d="M0 0h9v9z" fill="#0d5c8f"/>')],
    ['with a declaration and a comment', `<?xml version="1.0" encoding="UTF-8"?><!-- <script> -->\n${svg('<g/>')}`],
    ['a gradient of its own', svg('<linearGradient id="a"/><rect fill="url(#a)"/><rect fill="url( \'#a\' )"/>')],
    ['a part of itself', svg('<g id="a"/><use href="#a"/><use xlink:href="#a"/>')],
    ['with an image inside', svg('<image href="data:image/png;base64,iVBORw0KGgo="/>')],
    [
      'styled',
      svg('<style>path { fill: url(#a) } @media (prefers-color-scheme: dark) { path { fill: #fff } }</style>'),
    ],
    [
      'with metadata of its editor',
      svg('<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>on</dc:title></metadata>'),
    ],
  ])('%s', (_, text) => {
    expect(svgFault(text)).toBeNull()
  })
})

describe('a logo may not have', () => {
  it.each([
    ['nothing', '', 'XML'],
    ['another root', '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>', '<html>'],
    ['another namespace', '<svg><g/></svg>', '<svg>'],
    ['a broken tag', svg('<g>'), 'XML'],
    ['a script', svg('<script>alert(1)</script>'), '<script>'],
    ['a script of another prefix', svg('<s:script xmlns:s="http://www.w3.org/2000/svg">1</s:script>'), '<s:script>'],
    ['a script of HTML', svg('<script xmlns="http://www.w3.org/1999/xhtml">1</script>'), '<script>'],
    ['a script in capitals', svg('<SCRIPT>1</SCRIPT>'), '<SCRIPT>'],
    ['an event handler', svg('', 'onload="alert(1)"'), 'onload'],
    ['an event handler in capitals', svg('<g onClick="1"/>'), 'onClick'],
    [
      'foreign objects',
      svg('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">a</p></foreignObject>'),
      'foreignObject',
    ],
    ['a link', svg('<a href="https://example.org"><path/></a>'), 'external'],
    ['a link that runs', svg('<a xlink:href="javascript:alert(1)"><path/></a>'), 'external'],
    ['a relative link', svg('<use href="other.svg#a"/>'), 'external'],
    ['an image of another host', svg('<image href="//example.org/a.png"/>'), 'external'],
    ['an SVG in an image', svg('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>'), 'external'],
    [
      'a reference that is set later',
      svg('<a><set attributeName="xlink:href" to="https://example.org"/></a>'),
      'attributeName',
    ],
    ['a handler that is set later', svg('<animate attributeName="onclick" to="1"/>'), 'attributeName'],
    ['a reference in an attribute', svg('<rect fill="url(https://example.org/a#b)"/>'), 'fill'],
    ['a reference in a style', svg('<rect style="fill: URL( \'https://example.org/a\' )"/>'), 'style'],
    ['an import', svg('<style>@import "https://example.org/a.css";</style>'), 'style'],
    ['an import in CDATA', svg('<style><![CDATA[@import "https://example.org/a.css";]]></style>'), 'style'],
    ['an escape in a style', svg('<style>path { fill: u\\72l(https://example.org/a) }</style>'), 'style'],
    ['a list of images', svg('<style>path { fill: image-set("https://example.org/a.png" 1x) }</style>'), 'style'],
    ['another base', svg('<g xml:base="https://example.org/"><use href="#a"/></g>'), 'xml:base'],
    ['entities', `<!DOCTYPE svg [<!ENTITY a "<script/>">]>${svg('&a;')}`, 'document type'],
    ['a style sheet of another file', `<?xml-stylesheet href="a.css"?>${svg('')}`, 'xml-stylesheet'],
    ['another encoding', `<?xml version="1.0" encoding="ISO-8859-1"?>${svg('')}`, 'encoding'],
    ['two roots', svg('') + svg(''), 'XML'],
  ])('%s', (_, text, named) => {
    expect(svgFault(text)).toContain(named)
  })
})
