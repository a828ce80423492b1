-- mapping: consul
-- Consul Democracy (consuldemocracy.org), since 2.0. An idea is a proposal, its categories are the staff's tags.
-- The five questions, answered for Consul:
--   Which rows can a logged-out visitor not see?  Proposals that are drafts or hidden by moderation, hidden comments,
--                                                 comments of valuators, translations that were removed; everything
--                                                 while proposals are switched off, or the tenant is hidden.
--   Which status means launched, and when?        The milestone statuses named in `launched`: the staff makes and names
--                                                 them. The date is that of the first milestone with the status that
--                                                 the proposal has now.
--   One category or many?                         Many: tags of kind "category". The other tags are free words.
--   Are times UTC without zone?                   Yes, all of them.
--   Several sites in one database?                Yes: tenants. Each has a schema with all the tables. This mapping reads
--                                                 the one to which the search_path leads: public is the main site; for
--                                                 another give --database-url ...?options=-c%20search_path=NAME,public
-- A proposal is what citizens write, support, discuss and see carried out. A debate has no outcome, and votes for and
-- against. An investment belongs to one budget, in whose phases it is shown or not, its supports are shown or not and
-- its votes are secret ballots.
-- The status is that of the last milestone that is published and has a status; a status that the staff deleted is none.
-- Without one it is "retired" (by its author; still to be read, behind a filter), "selected" (by the staff) or "open".
-- Consul publishes a milestone at the start of its day, this mapping at its time; Consul's form gives dates only.
-- A proposal is dated at its publication. It is not closed by age: archived ones are to be read and count.
-- Supports from signature sheets count, as in Consul: they are votes of accounts that are made for them and do not
-- count. Whoever registers again with the same document takes over the votes of the erased account, which can make
-- two votes of one person on a proposal: the first counts, while Consul's own counter may count both.
-- An organisation is an account like any other, which Consul lets propose and comment.
-- THE ROLE CAN READ ALL SETTINGS, because only there is whether proposals are on. Keys and passwords are in files, but a site
-- that asks a census may have them in the form of its request (remote_census.request.structure). To avoid this, copy
-- this mapping, delete the line "requires settings" and every condition that reads settings: then nothing notices that
-- proposals are switched off.
-- A site behind a password of its web server (http_basic_auth in secrets.yml) looks open to this mapping: do not build it.
-- Sources: db/schema.rb (versions 2021_01_23_100638 and one of Rails 8.1, whose columns read here are the same), the
-- models proposal, milestone, comment, tag, setting, tenant, user, signature and the concern feature_flags of
-- consuldemocracy/consuldemocracy.
-- param launched : text[] = Executed -- names of the milestone statuses that mean launched, in any case, or "selected"
-- param locale : text = -- language of titles; empty = the one in which a proposal was written
-- requires public.tenants(schema, hidden_at) -- Consul Democracy 2.0
-- requires settings(key, value)
-- requires users(id, created_at, confirmed_at, hidden_at, erased_at)
-- requires proposals(id, author_id, hidden_at, retired_at)
-- requires proposals(published_at) -- Consul 1.0
-- requires proposals(selected) -- Consul 1.1
-- requires proposal_translations(id, proposal_id, locale, title, hidden_at) -- Consul 1.1
-- requires milestones(milestoneable_type, milestoneable_id, publication_date, status_id, created_at) -- Consul 1.0
-- requires milestone_statuses(id, name, hidden_at) -- Consul 1.0
-- requires tags(id, name, kind)
-- requires taggings(tag_id, taggable_type, taggable_id, context)
-- requires votes(votable_type, votable_id, voter_id, vote_flag, created_at)
-- requires comments(id, commentable_type, commentable_id, user_id, created_at, hidden_at, valuation)

-- choices launched
SELECT trim(name) AS value, 'milestone status' AS label FROM milestone_statuses WHERE hidden_at IS NULL
UNION ALL
SELECT 'selected', 'selected by the staff'

-- choices locale
SELECT locale AS value, 'titles: ' || count(*) AS label FROM proposal_translations WHERE hidden_at IS NULL GROUP BY locale

-- section users
-- Hidden by moderation, or erased by the owner (votes, proposals and comments stay). Those who cannot log in, because
-- a signature sheet made them, are erased from the beginning.
-- The last two conditions: see section closed.
SELECT u.id, u.created_at AT TIME ZONE 'UTC' AS created_at
  FROM users u
 WHERE u.hidden_at IS NULL AND u.erased_at IS NULL AND u.confirmed_at IS NOT NULL
   AND EXISTS (SELECT FROM settings x WHERE x.key IN ('process.proposals', 'feature.proposals') AND trim(x.value) <> '')
   AND NOT EXISTS (SELECT FROM public.tenants t WHERE t.schema = current_schema() AND t.hidden_at IS NOT NULL)

-- section ideas
SELECT p.id,
       coalesce((SELECT w.title
                   FROM proposal_translations w
                  WHERE w.proposal_id = p.id AND w.hidden_at IS NULL AND w.title <> ''
                  ORDER BY w.locale = :locale DESC, w.id LIMIT 1), '') AS title,
       p.published_at AT TIME ZONE 'UTC' AS created_at,
       EXISTS (SELECT FROM unnest(:launched) l WHERE lower(l) = lower(status.name)) AS launched,
       (SELECT min(m.publication_date)
          FROM milestones m
         WHERE m.milestoneable_type = 'Proposal' AND m.milestoneable_id = p.id
           AND m.status_id = s.id) AT TIME ZONE 'UTC' AS launched_at,
       '/proposals/' || p.id AS url,
       p.author_id,
       status.name AS status
  FROM proposals p
  LEFT JOIN LATERAL (SELECT m.status_id
                       FROM milestones m
                      WHERE m.milestoneable_type = 'Proposal' AND m.milestoneable_id = p.id
                        AND m.status_id IS NOT NULL AND m.publication_date <= now() AT TIME ZONE 'UTC'
                      ORDER BY m.publication_date DESC, m.created_at DESC LIMIT 1) latest ON true
  LEFT JOIN milestone_statuses s ON s.id = latest.status_id AND s.hidden_at IS NULL
 CROSS JOIN LATERAL (SELECT CASE WHEN s.id IS NOT NULL THEN trim(s.name)
                                 WHEN p.retired_at IS NOT NULL THEN 'retired'
                                 WHEN p.selected THEN 'selected'
                                 ELSE 'open' END AS name) status
 WHERE p.hidden_at IS NULL AND p.published_at IS NOT NULL
   AND EXISTS (SELECT FROM settings x WHERE x.key IN ('process.proposals', 'feature.proposals') AND trim(x.value) <> '')
   AND NOT EXISTS (SELECT FROM public.tenants t WHERE t.schema = current_schema() AND t.hidden_at IS NOT NULL)

-- section idea_categories
-- Other contexts are tags that a program proposed.
SELECT g.taggable_id AS idea_id, t.name AS category
  FROM taggings g
  JOIN tags t ON t.id = g.tag_id
 WHERE g.taggable_type = 'Proposal' AND g.context = 'tags' AND t.kind = 'category'

-- section votes
-- Proposals can only be supported; the flag is for debates and comments, which can be voted down, too.
SELECT v.votable_id AS idea_id, v.voter_id AS user_id, 1 AS value, min(v.created_at) AT TIME ZONE 'UTC' AS created_at
  FROM votes v
 WHERE v.votable_type = 'Proposal' AND v.vote_flag
 GROUP BY v.votable_id, v.voter_id

-- section comments
-- Replies have the proposal, too. The forum of a proposal (its community) is another thing: topics. valuation may be NULL: shown.
SELECT k.id, k.commentable_id AS idea_id, k.user_id, k.created_at AT TIME ZONE 'UTC' AS created_at
  FROM comments k
 WHERE k.commentable_type = 'Proposal' AND k.hidden_at IS NULL AND k.valuation IS NOT TRUE

-- section categories
SELECT g.name
  FROM tags g
 WHERE g.kind = 'category'
   AND EXISTS (SELECT FROM settings x WHERE x.key IN ('process.proposals', 'feature.proposals') AND trim(x.value) <> '')
   AND NOT EXISTS (SELECT FROM public.tenants t WHERE t.schema = current_schema() AND t.hidden_at IS NOT NULL)

-- section closed
-- Proposals are switched on by either of two settings that is not blank (feature_flags.rb); without a row they are off. But then
-- nobody switched them off: the setting may have got a third name.
-- A hidden tenant answers "not found" to everybody. The main site is no row of tenants and cannot be hidden.
SELECT site.hidden OR (site.named AND NOT site.shown) AS closed,
       CASE WHEN site.hidden THEN 'tenants.hidden_at' ELSE 'process.proposals' END AS reason
  FROM (SELECT EXISTS (SELECT FROM settings x WHERE x.key IN ('process.proposals', 'feature.proposals')) AS named,
               EXISTS (SELECT FROM settings x
                        WHERE x.key IN ('process.proposals', 'feature.proposals') AND trim(x.value) <> '') AS shown,
               EXISTS (SELECT FROM public.tenants t
                        WHERE t.schema = current_schema() AND t.hidden_at IS NOT NULL) AS hidden) site

-- section page
-- As app/models/setting.rb (03002436) and setting/locales_settings.rb (58e198d5): without a row of locales.default the language is in a
-- file, as the address is.
SELECT (SELECT value FROM settings WHERE key = 'org_name') AS title,
       (SELECT value FROM settings WHERE key = 'locales.default') AS language
