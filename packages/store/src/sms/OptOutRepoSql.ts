import { SqlClient } from "@effect/sql"
import { OptOut } from "@switchboard/domain/sms/OptOut"
import { OptOutRepo } from "@switchboard/services/sms/OptOutRepo"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { lookUpTogether } from "../database/LookUpTogether.js"
import { forRequest } from "../database/Unavailable.js"
import { filtered, filterOn, type Source } from "../Filters.js"
import { withCreationKey } from "../idempotency/StoreCreationKey.js"
import { selectPage } from "../Lists.js"
import { findOptedOut, type TextedPhones } from "./SuppressOptedOut.js"

const decode = Schema.decodeUnknownSync(Schema.Struct({ ...OptOut.fields, createdAt: Schema.DateTimeUtcFromDate }))

const optOutFromRow = (row: object) => new OptOut(decode(row), { disableValidation: true })

const columnsText = `o.id, o.number, o.phone, o.source, o.created_at AS "createdAt"`

const optOuts: Source = { table: "sms_opt_outs", alias: "o", id: "id" }

/** Opt-outs in the table `sms_opt_outs`. */
export const OptOutRepoSql = Layer.scoped(
  OptOutRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(columnsText)
    const lookUp = yield* lookUpTogether((texts: ReadonlyArray<TextedPhones>) => findOptedOut(sql, texts))

    return {
      insert: (organization, { createdAt, id, number, phone, source }) =>
        sql`INSERT INTO sms_opt_outs (organization_id, number, phone, id, source, created_at)
          VALUES (${organization}, ${number}, ${phone}, ${id}, ${source}, ${DateTime.toDateUtc(createdAt)})
          ON CONFLICT (organization_id, number, phone) DO NOTHING RETURNING id`.pipe(
          Effect.map(({ length }) => length > 0),
          withCreationKey(sql, (isNew) => (isNew ? id : null)),
          forRequest
        ),
      find: (organization, id) =>
        sql`SELECT ${columns} FROM sms_opt_outs AS o WHERE o.organization_id = ${organization} AND o.id = ${id}`.pipe(
          Effect.map(([row]) => Option.map(Option.fromNullable(row), optOutFromRow)),
          forRequest
        ),
      findOptedOut: (organizationId, number, phones) => lookUp({ organizationId, number, phones }),
      list: (organization, { number, phone }, request) =>
        selectPage(sql, request, {
          ...filtered(sql, organization, {
            all: optOuts,
            ordered: [],
            tests: [
              ...filterOn(optOuts, number, (value) => sql`o.number = ${value}`),
              ...filterOn(optOuts, phone, (value) => sql`o.phone = ${value}`)
            ],
            rows: [optOuts]
          }),
          columns: columnsText,
          read: optOutFromRow
        }).pipe(forRequest),
      remove: (organization, id) =>
        sql`DELETE FROM sms_opt_outs WHERE organization_id = ${organization} AND id = ${id} RETURNING id`.pipe(
          Effect.map(({ length }) => length > 0),
          forRequest
        ),
      lift: (organization, number, phone) =>
        sql`DELETE FROM sms_opt_outs WHERE organization_id = ${organization} AND number = ${number}
          AND phone = ${phone} RETURNING id`.pipe(
          Effect.map(({ length }) => length > 0),
          forRequest
        )
    }
  })
)
