// Owns the page index.html. Pure: documents in, text out.
import type { Language, SiteInput } from '../input.ts'

export function indexPage(input: SiteInput, language: Language): string {
  const { words, documents, dataAsOf, nextUpdateAt, closed, assets } = input
  const root = language === input.languages[0] ? '' : '../'
  const { totalIdeas, totalVotes, totalComments, launchedIdeas } = documents.stats.stats
  const totals = { ideas: totalIdeas, votes: totalVotes, comments: totalComments, launched: launchedIdeas }
  const rows = Object.entries(totals).map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`)
  const files = input.files.map(({ path }) => `<li><a href="${root}${escaped(path)}">${escaped(path)}</a></li>`)
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${escaped(words.title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${root}${assets.css}">
<script type="module" src="${root}${assets.js}"></script>
</head>
<body data-next-update-at="${nextUpdateAt}">
<h1>${escaped(words.title)}</h1>
<p>${closed ? 'The site is closed to visitors.' : `As of ${dataAsOf}`}</p>
<table>${rows.join('')}</table>
<ul>${files.slice(0, 100).join('\n')}</ul>
</body>
</html>
`
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`)
}
