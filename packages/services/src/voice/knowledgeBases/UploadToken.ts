import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { KnowledgeDocumentId } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { type Context, Option, Schema } from "effect"
import type { Signatures } from "../../Signatures.js"

/** Which document an upload's link is for. Until when it is good stands with the document. */
export interface UploadToken {
  readonly organizationId: OrganizationId
  readonly documentId: KnowledgeDocumentId
}

const purpose = "document-upload"

/** Text that stands in a URL as it is, and that nobody else can make. */
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

/** None if the token is not ours. */
export const parseUploadToken = (
  signatures: Context.Tag.Service<Signatures>,
  text: string
): Option.Option<UploadToken> => {
  const [organizationId = "", documentId = "", signature = "", ...rest] = text.split(".")
  return rest.length === 0 && signatures.verify(purpose, `${organizationId}.${documentId}`, signature)
    ? decode({ organizationId, documentId })
    : Option.none()
}
