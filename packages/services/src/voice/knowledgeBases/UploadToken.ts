import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { KnowledgeDocumentId } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { type Context, Option, Schema } from "effect"
import type { Signatures } from "../../Signatures.js"

/** The document of an upload link. Its expiry is stored with the document. */
export interface UploadToken {
  readonly organizationId: OrganizationId
  readonly documentId: KnowledgeDocumentId
}

const purpose = "document-upload"

/** A signed token, safe in a URL. */
export const uploadToken = (
  signatures: Context.Tag.Service<Signatures>,
  { documentId, organizationId }: UploadToken
): string => {
  const subject = `${organizationId}.${documentId}`
  return `${subject}.${signatures.sign(purpose, subject)}`
}

const decode = Schema.decodeUnknownOption(
  Schema.Struct({ organizationId: OrganizationId, documentId: KnowledgeDocumentId })
)

/** None if the signature is invalid. */
export const parseUploadToken = (
  signatures: Context.Tag.Service<Signatures>,
  text: string
): Option.Option<UploadToken> => {
  const [organizationId = "", documentId = "", signature = "", ...rest] = text.split(".")
  return rest.length === 0 && signatures.verify(purpose, `${organizationId}.${documentId}`, signature)
    ? decode({ organizationId, documentId })
    : Option.none()
}
