import { createHash } from "node:crypto"
import type { ApiKeyId, ApiKeyIdentity } from "@switchboard/domain/apiKeys/ApiKey"
import { permits } from "@switchboard/domain/apiKeys/Permission"
import { ForbiddenError, type UnauthorizedError, ValidationError } from "@switchboard/domain/Errors"
import { addressKey, EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { sendFields } from "@switchboard/domain/messages/SendRequest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Array, Clock, Effect, Either, Option, ParseResult, type Redacted, Schema } from "effect"
import { ApiKeys } from "../../apiKeys/ApiKeys.js"
import { KeyActivity } from "../../apiKeys/KeyActivity.js"
import { MessageRepo } from "../../messages/MessageRepo.js"
import { Messages } from "../../messages/Messages.js"
import type { Caller } from "../../messages/SendContext.js"
import { AuthenticationFailures } from "../../rateLimits/AuthenticationFailures.js"
import { displayName, fileOfPart, type HeaderAddress, type ReadMail } from "../receiving/ReadMail.js"

/** A mail as its program submitted it over SMTP (RFC 6409), and as it goes out. */
export interface Submission {
  readonly caller: Caller
  /** The forward-paths, without duplicates. */
  readonly recipients: ReadonlyArray<EmailAddress>
  readonly read: ReadMail
  /** The addresses of all From fields. */
  readonly authors: ReadonlyArray<HeaderAddress>
  /** The X-Switchboard fields, without their prefix and in lower case. */
  readonly own: Readonly<Record<string, string>>
  /** Whether the program chose the Message-ID. */
  readonly hasMessageId: boolean
  readonly messageId: string
  /** Whether its header needs SMTPUTF8 (RFC 6531). */
  readonly needsSmtpUtf8: boolean
  readonly octets: Uint8Array
  /** SHA-256 (base 16) of the mail as it came. */
  readonly hash: string
}

/** The key of a program, and its organization. */
export interface Submitter {
  readonly apiKeyId: ApiKeyId
  readonly organizationId: OrganizationId
}

/** The reply to a mail, for the activity of its key. */
export interface SubmissionReply {
  /** The SMTP reply code. */
  readonly status: number
  readonly ipAddress: string
  /** The time of the command, in milliseconds since 1970. */
  readonly at: number
}

/** The reply to a key without the permission to send (RFC 4954 section 6). */
const credentialsInvalid = 535

const list = Schema.compose(Schema.split(","), Schema.Array(Schema.Trim))

const { categories, externalId, idempotencyKey, referenceId, scheduledAt, tags } = sendFields

/** `true` or `false`, which some programs capitalize. */
const flag = Schema.compose(Schema.Lowercase, Schema.BooleanFromString).annotations({
  message: () => ({ message: "must be true or false", override: true })
})

/** The X-Switchboard fields by the part of their name after the prefix. */
const OwnFields = Schema.Struct({
  "idempotency-key": idempotencyKey,
  "external-id": externalId,
  "reference-id": referenceId,
  "scheduled-at": scheduledAt,
  tags: Schema.optional(Schema.compose(list, tags.from)),
  categories: Schema.optional(Schema.compose(list, categories.from)),
  "track-opens": Schema.optional(flag),
  "track-clicks": Schema.optional(flag)
})

const decodeOwn = Schema.decodeUnknownEither(OwnFields, { errors: "all", onExcessProperty: "error" })

const decodeAddress = Schema.decodeOption(EmailAddress)

const invalid = (field: string, message: string) =>
  new ValidationError({ message: "The mail is invalid", fields: { [field]: [message] } })

/** `X-Switchboard-External-Id` of `external-id`. */
const fieldName = (name: string): string =>
  `X-Switchboard-${name.replace(/(?:^|-)[a-z]/g, (first) => first.toUpperCase())}`

/** The names of the fields for this service. */
export const submissionFields: ReadonlyArray<string> = Object.keys(OwnFields.fields).map(fieldName)

const ownFields = (own: Submission["own"]) =>
  Either.mapLeft(decodeOwn(own), ({ issue }) => {
    const [first] = ParseResult.ArrayFormatter.formatIssueSync(issue)
    return invalid(fieldName(String(first?.path[0] ?? "")), first?.message ?? "is invalid")
  })

/** The author: the only address of the only From field. */
const authorOf = ([author, ...others]: Submission["authors"]) => {
  if (author === undefined || others.length > 0) return Either.left(invalid("email.from", "must be one address"))
  const name = displayName(author)
  return Option.match(decodeAddress(author.address), {
    onNone: () => Either.left(invalid("email.from", "must be an e-mail address")),
    onSome: (address) => Either.right({ address, name: name === "" ? undefined : name })
  })
}

/** The recipients by the header field that names them; those of no field are blind. */
const rolesOf = ({ read, recipients }: Submission) => {
  const keysOf = (addresses: ReadonlyArray<HeaderAddress>) =>
    new Set(addresses.flatMap(({ address }) => Option.toArray(Option.map(decodeAddress(address), addressKey))))
  const [to, cc] = [keysOf(read.to), keysOf(read.cc)]
  const names = new Map(
    [...read.cc, ...read.to].flatMap((addressee) =>
      Option.toArray(
        Option.map(decodeAddress(addressee.address), (found) => [addressKey(found), displayName(addressee)] as const)
      )
    )
  )
  const named = recipients.map((email) => {
    const name = names.get(addressKey(email)) ?? ""
    return name === "" ? { email } : { email, name }
  })
  const [others, addressed] = Array.partition(named, ({ email }) => to.has(addressKey(email)))
  const [bcc, copied] = Array.partition(others, ({ email }) => cc.has(addressKey(email)))
  return { to: addressed, cc: copied, bcc }
}

/** The key of a mail whose program repeats it after it lost the reply: Message-ID, envelope and content. */
const repeatKey = ({ hash, messageId, recipients }: Submission): string =>
  `smtp-${createHash("sha256")
    .update(JSON.stringify([messageId, recipients.map(addressKey).sort(), hash]))
    .digest("hex")}`

/** Accepts mail that programs submit over SMTP. */
export class Submissions extends Effect.Service<Submissions>()("services/Submissions", {
  effect: Effect.gen(function* () {
    const apiKeys = yield* ApiKeys
    const activity = yield* KeyActivity
    const failures = yield* AuthenticationFailures
    const messages = yield* Messages
    const repo = yield* MessageRepo

    /** Records an SMTP reply among the requests of a key. */
    const record = (submitter: Submitter, { at, ...reply }: SubmissionReply) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        activity.record({
          ...submitter,
          method: "SMTP",
          path: "submission",
          route: "submission",
          latencyMs: now - at,
          at,
          ...reply
        })
      )

    /** The organization and id of a key with the permission to send. Failures of an address are limited. */
    const authenticate = Effect.fn("Submissions.authenticate")(function* (
      key: Redacted.Redacted<string>,
      address: string
    ) {
      const { id, organizationId, permissions }: ApiKeyIdentity = yield* Effect.tapErrorTag(
        apiKeys.authenticate(key),
        "UnauthorizedError",
        (_: UnauthorizedError) => failures.count(address)
      )
      const isPermitted = permits(permissions, "messages.send")
      if (organizationId !== null && isPermitted) return { apiKeyId: id, organizationId }
      if (organizationId !== null) {
        const at = yield* Clock.currentTimeMillis
        yield* record({ apiKeyId: id, organizationId }, { status: credentialsInvalid, ipAddress: address, at })
      }
      return yield* new ForbiddenError({ message: "The API key does not have the permission messages.send" })
    })

    const parentOf = (organization: OrganizationId, { inReplyTo, references }: ReadMail) =>
      repo.findParent(organization, { inReplyTo, references })

    /** Accepts a mail as a message. A repeat returns the first one. */
    const accept = Effect.fn("Submissions.accept")(function* (submission: Submission) {
      const { caller, hasMessageId, hash, messageId, needsSmtpUtf8, octets, own, read } = submission
      const {
        "external-id": external,
        "idempotency-key": key,
        "reference-id": reference,
        ...fields
      } = yield* ownFields(own)
      const from = yield* authorOf(submission.authors)
      const parent = yield* parentOf(caller.organizationId, read)
      const { message } = yield* messages.sendEmail(caller, {
        channel: "email",
        ...rolesOf(submission),
        idempotencyKey: key ?? (hasMessageId ? repeatKey(submission) : undefined),
        externalId: external,
        referenceId: reference,
        scheduledAt: fields["scheduled-at"],
        tags: fields.tags,
        categories: fields.categories,
        inReplyToMessageId: Option.getOrUndefined(parent),
        email: {
          from,
          subject: read.subject,
          html: read.html,
          text: read.text,
          replyTo: read.replyTo.flatMap(({ address }) => Option.toArray(decodeAddress(address))),
          trackOpens: fields["track-opens"],
          trackClicks: fields["track-clicks"]
        },
        submitted: {
          octets,
          hash,
          messageId,
          needsSmtpUtf8,
          files: read.parts.map((part, position) => ({ ...fileOfPart(part, position), content: part.content }))
        }
      })
      return message
    })

    return { authenticate, accept, record } as const
  }),
  dependencies: [AuthenticationFailures.Default]
}) {}
