// Owns the recipes: short programs that read the data, each in one place. Their text is shown in the reference and run by a test.

interface Recipe {
  readonly name: string
  readonly title: string
  readonly what: string
  /** @param base where the site is, without a slash at its end */
  readonly code: (base: string) => string
}

export const RECIPES: readonly Recipe[] = [
  {
    name: 'curl',
    title: 'curl: all ideas of the last 30 days as CSV',
    what: 'A file of the release: no limit, and a quarter to a tenth of its size on the way.',
    code: (base) => `curl --fail --compressed --output ideas.csv ${base}/analytics/export/ideas/30d.csv`,
  },
  {
    name: 'curl-again',
    title: 'curl: the same again, only if something changed',
    what: 'curl keeps the ETag in a file. While nothing has changed, the answer is an empty 304 and ideas.csv stays.',
    code: (base) => `curl --fail --etag-compare ideas.etag --etag-save ideas.etag \\
  --output ideas.csv ${base}/analytics/export/ideas/30d.csv`,
  },
  {
    name: 'javascript',
    title: 'JavaScript: the trending ideas of the week',
    what: 'In a browser on any site (the answers allow it), in Node.js and in Deno, as a module.',
    code: (base) => `const answer = await fetch('${base}/analytics/trending/7d/all.json')
if (!answer.ok) throw new Error(\`\${answer.status}: \${await answer.text()}\`)
const { dataAsOf, ideas } = await answer.json()
console.log(\`As of \${dataAsOf}\`)
for (const { rank, title, votes } of ideas.slice(0, 10)) console.log(rank, title, votes)`,
  },
  {
    name: 'python',
    title: 'Python: votes by month',
    what: 'With the standard library only.',
    code: (base) => `import csv, io, urllib.request

url = "${base}/analytics/export/timeline/all.csv"
with urllib.request.urlopen(url) as answer:
    for row in csv.DictReader(io.TextIOWrapper(answer, encoding="utf-8", newline="")):
        print(row["bucket"][:7], row["votes"])`,
  },
  {
    name: 'pandas',
    title: 'pandas: votes by category',
    what: 'Without these arguments a category NA or None would be missing, and one called 03 the number 3. A row without a bucket is what has no date. An idea in two categories is counted in both.',
    code: (base) => `import pandas as pd

url = "${base}/analytics/export/timeline-by-category/all.csv"
timeline = pd.read_csv(url, dtype={"category": "string"}, parse_dates=["bucket"],
                       keep_default_na=False, na_values={"bucket": [""]})
print(timeline.groupby("category")["votes"].sum())`,
  },
  {
    name: 'r',
    title: 'R: a plot of votes by day',
    what: 'Without packages. In tables with text, na.strings = "" and colClasses = c(category = "character") keep categories such as NA and 03.',
    code: (base) => `url <- "${base}/analytics/export/timeline/all-by-day.csv"
timeline <- read.csv(url, na.strings = "", colClasses = c(bucket = "Date"))
plot(votes ~ bucket, data = timeline, type = "l")`,
  },
  {
    name: 'duckdb',
    title: 'DuckDB: the categories with most votes for each idea',
    what: 'SQL on the address of a CSV. The type of the category is named: one called 03 is no number.',
    code: (base) => `SELECT category, totalIdeas, round(votes / nullif(ideas, 0), 1) AS votes_per_idea
FROM read_csv('${base}/analytics/export/categories/all.csv', types = {'category': 'VARCHAR'})
ORDER BY votes_per_idea DESC NULLS LAST
LIMIT 10;`,
  },
  {
    name: 'google-sheets',
    title: 'Google Sheets',
    what: 'In a cell. Google reads the address about once an hour. In countries with a decimal comma, set the locale of the table to one with a point first.',
    code: (base) => `=IMPORTDATA("${base}/analytics/export/overview/30d.csv")`,
  },
  {
    name: 'excel',
    title: 'Excel and LibreOffice Calc',
    what: 'In Excel: Data > From Web, with this address; Data > Refresh All reads it again. A CSV that is opened by a double click is in one column where the list separator is a semicolon: for that there are workbooks, ideas.xlsx and tables.xlsx. In Calc: Sheet > External Links; separator: comma, language: English (USA).',
    code: (base) => `${base}/analytics/export/overview/30d.csv`,
  },
]
