import { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
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

    /**
     * Stores a decision about the texts from a number to a phone, unless a newer word decided already. A request
     * decides when it is made. An active opt-out keeps its id. Returns the id of the opt-out, if the decision counts.
     */
    const decide = (
      organization: OrganizationId,
      { createdAt, id, number, phone, source }: OptOut,
      isActive: boolean,
      decidedBy: string
    ) =>
      Effect.map(
        sql<{
          readonly id: string
        }>`INSERT INTO sms_opt_outs AS o (organization_id, number, phone, id, source, created_at,
            is_active, decided_by)
          VALUES (${organization}, ${number}, ${phone}, ${id}, ${source}, ${DateTime.toDateUtc(createdAt)}, ${isActive},
            ${decidedBy})
          ON CONFLICT (organization_id, number, phone) DO UPDATE SET is_active = EXCLUDED.is_active,
            decided_by = greatest(o.decided_by, EXCLUDED.decided_by),
            id = CASE WHEN o.is_active THEN o.id ELSE EXCLUDED.id END,
            source = CASE WHEN o.is_active THEN o.source ELSE EXCLUDED.source END,
            created_at = CASE WHEN o.is_active THEN o.created_at ELSE EXCLUDED.created_at END
          WHERE EXCLUDED.source = 'api' OR EXCLUDED.decided_by > o.decided_by
          RETURNING id`,
        ([row]) => row?.id
      )

    return {
      insert: (organization, optOut) =>
        decide(organization, optOut, true, optOut.id).pipe(
          Effect.map((id) => id === optOut.id),
          withCreationKey(sql, (isNew) => (isNew ? optOut.id : null)),
          forRequest
        ),
      applyWord: (organization, word, optOut, arrival) =>
        decide(organization, optOut, word === "stop", arrival).pipe(Effect.asVoid, forRequest),
      find: (organization, id) =>
        sql`SELECT ${columns} FROM sms_opt_outs AS o
          WHERE o.organization_id = ${organization} AND o.id = ${id} AND o.is_active`.pipe(
          Effect.map(([row]) => Option.map(Option.fromNullable(row), optOutFromRow)),
          forRequest
        ),
      findOptedOut: (organizationId, number, phones) => lookUp({ organizationId, number, phones }),
      list: (organization, { number, phone }, request) =>
        selectPage(sql, request, {
          ...filtered(sql, organization, {
            all: optOuts,
            ordered: filterOn(optOuts, true, () => sql`o.is_active`),
            tests: [
              ...filterOn(optOuts, number, (value) => sql`o.number = ${value}`),
              ...filterOn(optOuts, phone, (value) => sql`o.phone = ${value}`)
            ],
            rows: [optOuts]
          }),
          columns: columnsText,
          read: optOutFromRow
        }).pipe(forRequest),
      remove: (organization, id, removal) =>
        sql`UPDATE sms_opt_outs SET is_active = false, decided_by = greatest(decided_by, ${removal})
          WHERE organization_id = ${organization} AND id = ${id} AND is_active RETURNING id`.pipe(
          Effect.map(({ length }) => length > 0),
          forRequest
        )
    }
  })
)
