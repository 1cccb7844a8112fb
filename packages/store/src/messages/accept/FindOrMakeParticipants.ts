import { addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantType } from "@switchboard/domain/participants/Participant"
import type { NewMessage } from "@switchboard/services/messages/MessageRepo"
import { v7 } from "uuid"

/**
 * The part of the accept statement that finds the participants of all addresses, and makes those that are missing and
 * that an accepted send names. An address that another transaction made since the snapshot violates the primary key:
 * nothing of the statement stays. `who.ids` has the participant of the n-th address at n.
 */
export const participantsPart = (wanted: string) => /* sql */ `
wanted AS MATERIALIZED (
  SELECT w.n, w.organization_id, w.address, w.created_at, COALESCE(a.participant_id, w.id) AS id,
    COALESCE(p.name, w.name) AS name, p.display_name, COALESCE(p.type, w.type) AS type,
    a.participant_id IS NULL AND w.sends && (SELECT array_agg(ord) FROM accepted) AS missing
  FROM json_to_recordset(${wanted}::json) AS w(n int, organization_id uuid, address text, id uuid, name text, type text,
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
  SELECT organization_id, 'email', address, id FROM wanted
  WHERE missing AND (SELECT count(*) FROM remembered) IS NOT NULL ORDER BY organization_id, address
  RETURNING 1
), people AS (
  INSERT INTO participants (organization_id, id, name, type, created_at, updated_at)
  SELECT organization_id, id, name, type, created_at, created_at FROM wanted
  WHERE missing AND (SELECT count(*) FROM addresses) IS NOT NULL
  RETURNING 1
), who AS MATERIALIZED (
  SELECT array_agg(id ORDER BY n) AS ids FROM wanted WHERE (SELECT count(*) FROM people) IS NOT NULL
)`

interface Wanted {
  /** Its place, from 1: messages name it by that. */
  readonly n: number
  readonly organization_id: OrganizationId
  readonly address: string
  readonly id: string
  readonly name: string
  readonly type: ParticipantType
  /** The places of the sends that name it. */
  readonly sends: Array<number>
  readonly created_at: NewMessage["facts"]["createdAt"]
}

/** The places of a send's addresses among the wanted ones. */
export interface Addressed {
  readonly sender: number
  readonly recipients: ReadonlyArray<number>
}

/** What `participantsPart` reads, and which of it each send of the batch names. */
export const participantRecords = (batch: ReadonlyArray<NewMessage>) => {
  const wanted = new Map<string, Wanted>()
  const want = (
    { facts }: NewMessage,
    ord: number,
    address: EmailAddress,
    name: string,
    type: ParticipantType
  ): number => {
    const key = `${facts.organizationId} ${addressKey(address)}`
    const known = wanted.get(key)
    if (known !== undefined) {
      if (known.sends.at(-1) !== ord) known.sends.push(ord)
      return known.n
    }
    const n = wanted.size + 1
    wanted.set(key, {
      n,
      organization_id: facts.organizationId,
      address: addressKey(address),
      id: v7(),
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
      sender: want(message, ord, sender.address, sender.name ?? sender.address, "sender"),
      recipients: recipients.map((recipient) => want(message, ord, recipient, recipient, "contact"))
    }
  })
  return { wanted: [...wanted.values()], addressed }
}
