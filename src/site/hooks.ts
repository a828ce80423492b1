// Owns the identifiers by which the client's module finds its places in the page, and says what else it finds there. Without
// that module everything here is hidden or inert, and the page is whole.
//
// - `body[data-as-of]`, `body[data-next-update-at]`: timestamps of the release; `body[data-root]`: from the page to the root;
//   `body[data-late]`, set by the client, shows the notice that an update is overdue.
// - `section[data-section]`: its name, as in its id; `data-period`: the period that it shows.
// - `div[data-pickers]` (hidden) with `select[data-pick="period"]` and `"category"`: the value of a category is its key, '' = all.
// - `svg[data-chart]`: `<id of table>/<number of column>`, where its values are; the rows of the table are newest first.
// - `table[data-sortable]`: may be sorted by its columns.
// - `a[data-address]`: the address of what a section shows, for the copy button.
export const IDS = {
  /** A picker's answer belongs to another instant, also after the page was loaded again: hidden until then. */
  mixed: 'mixed',
} as const
