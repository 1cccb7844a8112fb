/**
 * Records which leased entries have begun an attempt: only their lost leases count, and only their repeats are marked.
 * Earlier releases counted every lost lease, so the counts are reset; a lease of an earlier release counts as begun.
 */
const begunAttempts = (queue: string) => /* sql */ `
ALTER TABLE ${queue}
  -- The start of the last lease's attempt. Kept until the next lease or an outcome.
  ADD COLUMN begun_at timestamptz,
  -- Whether the previous lease's attempt began and has no outcome.
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
