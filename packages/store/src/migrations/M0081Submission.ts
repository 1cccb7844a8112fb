/** The index of submitted mail by its Message-ID. */
export const M0081Submission = /* sql */ `
CREATE INDEX messages_submitted_id ON messages (organization_id, (addressing ->> 'messageId'))
  WHERE addressing ->> 'submitted' IS NOT NULL;
`
