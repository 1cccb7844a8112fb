/** What waits too long is found without going through all that waits. */
export const M0002QueueAge = /* sql */ `
-- Ready entries by age: when the relay is out, nothing leaves the queue but what is too old. message_queue_ready can't
-- tell: a retry has become ready long after it was due. Without an index every batch of 40 reads the whole queue again
-- (160 ms at a million entries, and an outage of three days ends them all); with it an enqueue costs a few microseconds
-- more, at the right end of the tree, and a lease nothing: leased entries are not in it.
-- "takeovers >= 0" is always so. It is said so that only a query that says it too can use this index: with stale
-- statistics, leases were planned by it, and read the whole queue once for each organization.
CREATE INDEX message_queue_age ON message_queue (due_since) WHERE lease_until IS NULL AND takeovers >= 0;
`
