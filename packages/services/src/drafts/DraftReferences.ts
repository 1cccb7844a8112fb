import type { DraftContent, DraftRecipient } from "@switchboard/domain/drafts/Draft"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { TemplateId } from "@switchboard/domain/email/templates/Template"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect, Schema } from "effect"
import { Templates } from "../email/templates/Templates.js"
import { ParticipantRepo } from "../participants/ParticipantRepo.js"

const isTemplateId = Schema.is(TemplateId)

/**
 * A draft may lack anything, but it names nothing that the organization does not have. Files are for the store to find:
 * it keeps those that are named.
 */
export const draftReferences = Effect.gen(function* () {
  const participants = yield* ParticipantRepo
  const templates = yield* Templates

  return Effect.fnUntraced(function* (
    organization: OrganizationId,
    recipients: ReadonlyArray<DraftRecipient>,
    { templateId }: DraftContent
  ) {
    const named = recipients.flatMap(({ participantId }) => participantId ?? [])
    const known = named.length === 0 ? [] : yield* participants.findMany(organization, named)
    const unknown = named.find((id) => known.every((one) => one.id !== id))
    if (unknown !== undefined) return yield* new ResourceNotFoundError({ resource: "participant", id: unknown })
    // Who has not chosen one yet may say so by an empty text.
    if (templateId === undefined || templateId === "") return
    if (!isTemplateId(templateId)) return yield* new ResourceNotFoundError({ resource: "template", id: templateId })
    yield* templates.get(organization, templateId)
  })
})
