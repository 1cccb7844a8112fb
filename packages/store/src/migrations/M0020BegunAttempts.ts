/**
 * Which leased entries have begun to be attempted: only their lost leases count, and only their repeats are marked.
 * Before, every lost lease counted, so the counts start again; a lease of an older release may have begun.
 */
const begunAttempts = (queue: string) => /* sql */ `
ALTER TABLE ${queue}
  -- When the attempt of the last lease began. Kept until the next lease, or an outcome.
  ADD COLUMN begun_at timestamptz,
  -- Whether the attempt of the lease before had begun and has no outcome.
  ADD COLUMN is_repeat boolean NOT NULL DEFAULT false;
UPDATE ${queue} SET takeovers = 0, begun_at = CASE WHEN worker IS NOT NULL THEN now() END
WHERE takeovers > 0 OR worker IS NOT NULL;
`

export const M0020BegunAttempts = [
  "message_queue",
  "webhook_queue",
  "inbound_queue",
  "forwarding_queue",
  "voice_call_queue",
  "voice_notice_queue"
]
  .map(begunAttempts)
  .join("")
