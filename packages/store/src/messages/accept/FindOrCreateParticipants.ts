import { addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantType } from "@switchboard/domain/participants/Participant"
import type { NewMessage } from "@switchboard/services/messages/MessageRepo"
import { newUuid } from "@switchboard/services/NewId"
import { DateTime } from "effect"

/**
 * The CTEs of the accept statement that find the participants of all addresses, and create the missing ones that an
 * accepted send names. An address that another transaction created since the snapshot violates the primary key and
 * aborts the statement. `resolved.ids` has the participant of address n at index n.
 */
export const participantsPart = (candidates: string) => /* sql */ `
candidates AS MATERIALIZED (
  SELECT w.n, w.organization_id, w.address, w.created_at, COALESCE(a.participant_id, w.id) AS id,
    COALESCE(p.name, w.name) AS name, p.display_name, COALESCE(p.type, w.type) AS type,
    a.participant_id IS NULL AND w.sends && (SELECT array_agg(ord) FROM accepted) AS missing
  FROM json_to_recordset(${candidates}::json) AS w(n int, organization_id uuid, address text, id uuid, name text, type text,
      sends int[], created_at timestamptz)
    LEFT JOIN LATERAL (
      SELECT a.participant_id FROM participant_addresses AS a
      WHERE a.organization_id = w.organization_id AND a.kind = 'email' AND a.address = w.address LIMIT 1
    ) AS a ON true
    LEFT JOIN LATERAL (
      SELECT p.name, p.display_name, p.type FROM participants AS p
      WHERE p.organization_id = w.organization_id AND p.id = a.participant_id LIMIT 1
    ) AS p ON true
), addresses AS (
  INSERT INTO participant_addresses (organization_id, kind, address, participant_id)
  SELECT organization_id, 'email', address, id FROM candidates
  WHERE missing AND (SELECT count(*) FROM remembered) IS NOT NULL ORDER BY organization_id, address
  RETURNING 1
), people AS (
  INSERT INTO participants (organization_id, id, name, type, is_named, created_at, updated_at)
  SELECT organization_id, id, name, type, lower(name) <> address, created_at, created_at FROM candidates
  WHERE missing AND (SELECT count(*) FROM addresses) IS NOT NULL
  RETURNING organization_id
), resolved AS MATERIALIZED (
  SELECT array_agg(id ORDER BY n) AS ids FROM candidates WHERE (SELECT count(*) FROM people) IS NOT NULL
)`

interface Candidate {
  /** The position of the address, from 1, by which messages refer to it. */
  readonly n: number
  readonly organization_id: OrganizationId
  readonly address: string
  readonly id: string
  readonly name: string
  readonly type: ParticipantType
  /** The positions of the sends that name it. */
  readonly sends: Array<number>
  readonly created_at: NewMessage["facts"]["createdAt"]
}

/** The positions of a send's addresses in `candidates`. */
export interface Addressed {
  readonly sender: number
  readonly recipients: ReadonlyArray<number>
}

/** The input of `participantsPart`, and the positions of each send's addresses in it. */
export const participantRecords = (batch: ReadonlyArray<NewMessage>) => {
  const candidates = new Map<string, Candidate>()
  const positionOf = (
    { facts }: NewMessage,
    ord: number,
    address: EmailAddress,
    name: string,
    type: ParticipantType
  ): number => {
    const key = `${facts.organizationId} ${addressKey(address)}`
    const known = candidates.get(key)
    if (known !== undefined) {
      if (known.sends.at(-1) !== ord) known.sends.push(ord)
      return known.n
    }
    const n = candidates.size + 1
    candidates.set(key, {
      n,
      organization_id: facts.organizationId,
      address: addressKey(address),
      id: newUuid(DateTime.toEpochMillis(facts.createdAt)),
      name,
      type,
      sends: [ord],
      created_at: facts.createdAt
    })
    return n
  }
  const addressed = batch.map((message, ord): Addressed => {
    const { recipients, sender } = message
    return {
      sender: positionOf(message, ord, sender.address, sender.name ?? sender.address, "sender"),
      recipients: recipients.map((recipient) => positionOf(message, ord, recipient, recipient, "contact"))
    }
  })
  return { candidates: [...candidates.values()], addressed }
}
