import { assert, describe, it } from "@effect/vitest"
import { CreateApiKey, UpdateApiKey } from "@switchboard/domain/apiKeys/ApiKey"
import { CreateConversation, UpdateConversation } from "@switchboard/domain/conversations/ConversationRequests"
import { CreateDraft, UpdateDraft } from "@switchboard/domain/drafts/DraftRequests"
import { CreateBlock, UpdateBlock } from "@switchboard/domain/email/blocks/Block"
import { CreateForwardingRule, UpdateForwardingRule } from "@switchboard/domain/email/forwarding/ForwardingRule"
import { CreateTemplate, UpdateTemplate } from "@switchboard/domain/email/templates/Template"
import { afterUpdate } from "@switchboard/domain/Fields"
import { CreateParticipant, UpdateParticipant } from "@switchboard/domain/participants/Participant"
import { CreateVoiceAgent, UpdateVoiceAgent } from "@switchboard/domain/voice/agents/VoiceAgent"
import { CreateVoiceWorkflow, UpdateVoiceWorkflow } from "@switchboard/domain/voice/workflows/VoiceWorkflow"
import { CreateWebhookEndpoint, UpdateWebhookEndpoint } from "@switchboard/domain/webhooks/WebhookRequests"
import { Either, Schema, SchemaAST } from "effect"

/** A status and what belongs to it, the permissions of a key, and the parts that a template of an e-mail needs. */
const notCleared = new Set<PropertyKey>(["status", "resolutionType", "permissions", "roleName", "subject", "html"])

const fieldsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.PropertySignature> =>
  SchemaAST.isRefinement(ast) ? fieldsOf(ast.from) : SchemaAST.isTypeLiteral(ast) ? ast.propertySignatures : []

const takesNull = ({ type }: SchemaAST.PropertySignature) =>
  Either.isRight(Schema.decodeUnknownEither(Schema.make<unknown>(type))(null))

describe("An update", () => {
  it.each([
    ["API key", CreateApiKey, UpdateApiKey],
    ["block", CreateBlock, UpdateBlock],
    ["conversation", CreateConversation, UpdateConversation],
    ["draft", CreateDraft, UpdateDraft],
    ["forwarding rule", CreateForwardingRule, UpdateForwardingRule],
    ["participant", CreateParticipant, UpdateParticipant],
    ["template", CreateTemplate, UpdateTemplate],
    ["voice agent", CreateVoiceAgent, UpdateVoiceAgent],
    ["voice workflow", CreateVoiceWorkflow, UpdateVoiceWorkflow],
    ["webhook endpoint", CreateWebhookEndpoint, UpdateWebhookEndpoint]
  ])("of a %s takes null for the fields that a creation may omit, and for no other", (_, create, update) => {
    const optional = new Set(fieldsOf(create.ast).flatMap(({ isOptional, name }) => (isOptional ? [name] : [])))
    const fields = fieldsOf(update.ast)
    assert.isNotEmpty(fields)
    const isClearable = (name: PropertyKey) => optional.has(name) && !notCleared.has(name)
    assert.deepStrictEqual(
      fields.filter(takesNull).map(({ name }) => name),
      fields.map(({ name }) => name).filter(isClearable)
    )
  })

  it("keeps, resets or replaces a value", () => {
    assert.deepStrictEqual(
      [undefined, null, 0].map((value) => afterUpdate(value, 1, 2)),
      [1, 2, 0]
    )
  })
})
