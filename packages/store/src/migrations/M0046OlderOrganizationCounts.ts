const count = (table: string) => /* sql */ `(SELECT count(*) FROM ${table} AS t WHERE t.organization_id = o.id)
    - (SELECT coalesce(sum(c.${table}), 0) FROM organization_count_changes AS c WHERE c.organization_id = o.id)`

/**
 * Counts the participants and conversations from before `M0045OrganizationCounts`: all in the statement's snapshot,
 * minus the changes that the triggers recorded. Apart from it, so that no request waits for the lock of its
 * triggers while large tables are read.
 */
export const M0046OlderOrganizationCounts = /* sql */ `
INSERT INTO organization_counts (organization_id, participants, conversations)
SELECT o.id, ${count("participants")}, ${count("conversations")} FROM organizations AS o
`
