/** Finds expired entries of the queue without scanning it. */
export const M0002QueueAge = /* sql */ `
-- Ready entries by age. While the relay is down, only expired messages leave the queue. The index message_queue_ready
-- cannot find them: a retry becomes ready long after it was due. Without this index every batch of 40 scans the queue
-- (160 ms at a million entries, and an outage of three days expires all of them). With it an insert costs a few
-- microseconds more, at the right end of the tree. Leased entries are not in it. The condition "takeovers >= 0" is
-- always true. It restricts the index to queries that repeat it: with stale statistics, leases were planned with this
-- index and scanned the queue once per organization.
CREATE INDEX message_queue_age ON message_queue (due_since) WHERE lease_until IS NULL AND takeovers >= 0;
`
