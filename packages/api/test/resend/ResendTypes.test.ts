import type { CreatedDomain, ListedDomain, ResendDomain } from "@switchboard/api/resend/ResendDomain"
import type { ListedEmail, ResendEmail } from "@switchboard/api/resend/ResendEmail"
import type { BatchAccepted } from "@switchboard/api/resend/ResendEmailsApi"
import type { ResendError } from "@switchboard/api/resend/ResendError"
import type { ListedReceived, ResendReceived } from "@switchboard/api/resend/ResendReceivingApi"
import type { ResendFile } from "@switchboard/api/resend/ResendShapes"
import type { ListedTemplate, ResendTemplate } from "@switchboard/api/resend/ResendTemplate"
import type { ListedWebhook, ResendWebhook } from "@switchboard/api/resend/ResendWebhook"
import type { SignedWebhook } from "@switchboard/api/resend/ResendWebhooksApi"
import type {
  AttachmentData,
  CreateBatchSuccessResponse,
  CreateDomainResponseSuccess,
  CreateWebhookResponseSuccess,
  Domain,
  ErrorResponse,
  GetDomainResponseSuccess,
  GetEmailResponseSuccess,
  GetReceivingEmailResponseSuccess,
  GetTemplateResponseSuccess,
  GetWebhookResponseSuccess,
  ListEmail,
  ListReceivingEmail,
  ListTemplatesResponseSuccess,
  RotateWebhookSigningSecretResponseSuccess,
  Webhook
} from "resend"
import { expectTypeOf, it } from "vitest"

it("The responses have the types of the SDK", () => {
  expectTypeOf<typeof ResendEmail.Encoded>().toExtend<GetEmailResponseSuccess>()
  expectTypeOf<typeof ListedEmail.Encoded>().toExtend<ListEmail>()
  expectTypeOf<typeof ResendReceived.Encoded>().toExtend<GetReceivingEmailResponseSuccess>()
  expectTypeOf<typeof ListedReceived.Encoded>().toExtend<ListReceivingEmail>()
  expectTypeOf<typeof ResendFile.Encoded>().toExtend<AttachmentData>()
  expectTypeOf<typeof CreatedDomain.Encoded>().toExtend<CreateDomainResponseSuccess>()
  expectTypeOf<typeof ResendDomain.Encoded>().toExtend<GetDomainResponseSuccess>()
  expectTypeOf<typeof ListedDomain.Encoded>().toExtend<Domain>()
  expectTypeOf<typeof ResendTemplate.Encoded>().toExtend<GetTemplateResponseSuccess>()
  expectTypeOf<typeof ListedTemplate.Encoded>().toExtend<ListTemplatesResponseSuccess["data"][number]>()
  expectTypeOf<typeof ResendWebhook.Encoded>().toExtend<GetWebhookResponseSuccess>()
  expectTypeOf<typeof ListedWebhook.Encoded>().toExtend<Webhook>()
  expectTypeOf<typeof SignedWebhook.Encoded>().toExtend<CreateWebhookResponseSuccess>()
  expectTypeOf<typeof SignedWebhook.Encoded>().toExtend<RotateWebhookSigningSecretResponseSuccess>()
  type Accepted = (typeof BatchAccepted.Encoded)["data"][number]
  expectTypeOf<Accepted>().toExtend<CreateBatchSuccessResponse["data"][number]>()
  type Error = Omit<ResendError, "name"> & { readonly name: Exclude<ResendError["name"], "not_implemented"> }
  expectTypeOf<Error>().toExtend<ErrorResponse>()
})
