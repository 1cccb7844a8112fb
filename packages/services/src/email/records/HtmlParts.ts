import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect, Option } from "effect"
import { ObjectStore } from "../../objects/ObjectStore.js"
import { EmailRecordRepo } from "./EmailRecordRepo.js"
import { dataUrl, referencedImages, withImages } from "./InlineImages.js"

/** The maximum number of objects read concurrently. */
const maxReads = 4

/** The HTML parts of e-mails. */
export class HtmlParts extends Effect.Service<HtmlParts>()("services/HtmlParts", {
  effect: Effect.gen(function* () {
    const repo = yield* EmailRecordRepo
    const objects = yield* ObjectStore

    /** The HTML of an e-mail with its inline images as `data:` URLs. It is not sanitized. */
    const get = Effect.fn("HtmlParts.get")(function* (organization: OrganizationId, id: MessageId) {
      const notFound = (resource: string) => new ResourceNotFoundError({ resource, id })
      const found = yield* repo.find(organization, id)
      const { files, message } = yield* Effect.mapError(found, () => notFound("email"))
      const { html } = message.content
      if (html === "") return yield* notFound("htmlPart")
      const urls = yield* Effect.forEach(
        referencedImages(html, files),
        ([contentId, file]) =>
          Effect.map(
            objects.get(file.key),
            Option.map((octets) => [contentId, dataUrl(file, octets)] as const)
          ),
        { concurrency: maxReads }
      )
      return withImages(html, new Map(urls.flatMap(Option.toArray)))
    })

    return { get } as const
  })
}) {}
