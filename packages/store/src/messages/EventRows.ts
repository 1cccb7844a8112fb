import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { v7 } from "uuid"

/** An event as a JSON record, for `json_to_recordset`. */
export interface EventRecord {
  readonly organization_id: OrganizationId
  readonly id: string
  readonly type: string
  readonly subject_id: string
  readonly data: unknown
  readonly created_at: string
}

/** The columns of `EventRecord` inside a `json_to_recordset`. */
export const eventColumns =
  "organization_id uuid, id uuid, type text, subject_id uuid, data json, created_at timestamptz"

/** What happened to a message, for the outbox. The ids of one process rise, so that its events keep their order. */
export const messageEvent = (
  organizationId: OrganizationId,
  messageId: MessageId,
  type: string,
  data: { readonly timestamp: string }
): EventRecord => ({
  organization_id: organizationId,
  id: v7(),
  type,
  subject_id: messageId,
  data,
  created_at: data.timestamp
})
