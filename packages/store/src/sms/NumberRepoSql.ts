import { SqlClient } from "@effect/sql"
import { ConflictError } from "@switchboard/domain/Errors"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { SenderId, SmsNumber } from "@switchboard/domain/sms/SmsNumber"
import { VoiceAgentId } from "@switchboard/domain/voice/agents/VoiceAgent"
import { NumberRepo } from "@switchboard/services/sms/NumberRepo"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { lookUpTogether } from "../database/LookUpTogether.js"
import { prepared } from "../database/Prepared.js"
import { forRequest } from "../database/Unavailable.js"

const decodeNumber = Schema.decodeUnknownSync(
  Schema.Struct({
    ...SmsNumber.fields,
    voiceAgentId: Schema.optionalWith(VoiceAgentId, { nullable: true }),
    createdAt: Schema.DateTimeUtcFromDate
  })
)
const decodeOwner = Schema.decodeUnknownSync(Schema.Struct({ organizationId: OrganizationId }))
const decodeSender = Schema.decodeUnknownSync(Schema.Struct({ number: SenderId }))

const numberFromRow = (row: object) => new SmsNumber(decodeNumber(row), { disableValidation: true })

/** A row for each look-up of an owner, in order. */
const ownerStatement = prepared(
  "find_number_owners",
  /* sql */ `
SELECT n.organization_id AS "organizationId"
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS w(number, channel, place)
  LEFT JOIN numbers AS n ON n.number = w.number AND w.channel = ANY (n.channels)
ORDER BY w.place`
)

/** A row for each look-up of a default number, in order. */
const defaultStatement = prepared(
  "find_default_numbers",
  /* sql */ `
SELECT n.number
FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS w(organization_id, channel, place)
  LEFT JOIN LATERAL (
    SELECT n.number FROM numbers AS n WHERE n.organization_id = w.organization_id AND w.channel = ANY (n.channels)
    ORDER BY n.created_at, n.number LIMIT 1
  ) AS n ON true
ORDER BY w.place`
)

/** Numbers and sender ids in the table `numbers`. */
export const NumberRepoSql = Layer.scoped(
  NumberRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(`id, number, channels, voice_agent_id AS "voiceAgentId", created_at AS "createdAt"`)

    const findOwner = yield* lookUpTogether(
      (lookups: ReadonlyArray<{ readonly number: string; readonly channel: string }>) =>
        Effect.map(
          sql.unsafe<{ readonly organizationId: string | null }>(ownerStatement, [
            lookups.map(({ number }) => number),
            lookups.map(({ channel }) => channel)
          ]),
          (rows) =>
            rows.map((row) =>
              row.organizationId === null ? Option.none() : Option.some(decodeOwner(row).organizationId)
            )
        )
    )

    const findDefault = yield* lookUpTogether(
      (lookups: ReadonlyArray<{ readonly organization: OrganizationId; readonly channel: string }>) =>
        Effect.map(
          sql.unsafe<{ readonly number: string | null }>(defaultStatement, [
            lookups.map(({ organization }) => organization),
            lookups.map(({ channel }) => channel)
          ]),
          (rows) => rows.map((row) => (row.number === null ? Option.none() : Option.some(decodeSender(row).number)))
        )
    )

    const conflict = (organization: OrganizationId, number: string) =>
      Effect.flatMap(
        sql`SELECT FROM numbers WHERE number = ${number} AND organization_id = ${organization}`,
        ({ length }) =>
          new ConflictError({
            message: `${length > 0 ? "The organization" : "Another organization"} has the number ${number} already`,
            resource: "number"
          })
      )

    return {
      add: (organization, { channels, createdAt, number, voiceAgentId }) =>
        sql`INSERT INTO numbers (number, organization_id, channels, voice_agent_id, created_at)
          VALUES (${number}, ${organization}, ${[...channels]}::text[], ${voiceAgentId ?? null},
            ${DateTime.toDateUtc(createdAt)})
          ON CONFLICT (number) DO NOTHING RETURNING number`.pipe(
          Effect.flatMap(({ length }) => (length > 0 ? Effect.void : conflict(organization, number))),
          forRequest
        ),
      list: (organization) =>
        sql`SELECT ${columns} FROM numbers WHERE organization_id = ${organization} ORDER BY created_at, number`.pipe(
          Effect.map((rows) => rows.map(numberFromRow)),
          forRequest
        ),
      listAll: sql`SELECT ${columns}, organization_id AS "organizationId" FROM numbers
        ORDER BY created_at, number`.pipe(
        Effect.map((rows) =>
          rows.map((row) => ({ organizationId: decodeOwner(row).organizationId, number: numberFromRow(row) }))
        ),
        forRequest
      ),
      remove: (organization, number) =>
        sql`DELETE FROM numbers WHERE number = ${number} AND organization_id = ${organization} RETURNING number`.pipe(
          Effect.map(({ length }) => length > 0),
          forRequest
        ),
      findVoice: (organization, number) =>
        sql`SELECT ${columns} FROM numbers WHERE organization_id = ${organization} AND 'voice' = ANY (channels)
            AND number = coalesce(${number ?? null}::text, number)
          ORDER BY created_at, number LIMIT 1`.pipe(
          Effect.map(([row]) => Option.map(Option.fromNullable(row), numberFromRow)),
          forRequest
        ),
      ownerOf: (number, channel) => findOwner({ number, channel }),
      defaultOf: (organization, channel) => findDefault({ organization, channel })
    }
  })
)
