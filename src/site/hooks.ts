// Owns the identifiers by which the client's module finds its places in the page, and says what else it finds there. Without
// that module everything here is hidden or inert, and the page is whole.
//
// - `body[data-as-of]`, `body[data-next-update-at]`: timestamps of the release; `.late[data-text]` is empty until
//   the client finds that an update is overdue, and puts this text into it.
// - `section[data-section]`: its name, as in its id; `data-period`: the period that it shows.
// - `.live`: takes its room, but is seen only when `body[data-live]` says that the client runs.
// - `a[data-view]`: the period or the key of the category that its page shows; '' = the page as usual.
// - `svg[data-chart]`: `<id of table>/<numbers of columns>`, where its values are; the last rows of the table are its points, newest
//   first; `data-points`: how many.
// - `table[data-sortable]`: may be sorted by its columns, of which the first is `text` or `time`, newest first.
// - `code[data-relative]`: lines to copy whose addresses begin at this page, for the client to make absolute.
// - `button[data-copy]`: the address to copy; `button[data-embed]`: the name of the file to embed.
export const IDS = {
  /** What the client is given: client-data.ts. */
  data: 'client-data',
} as const
