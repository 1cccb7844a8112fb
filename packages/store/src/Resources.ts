import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { Effect, Option } from "effect"
import { forRequest, retryConflicts } from "./database/Unavailable.js"
import { containsText } from "./Filters.js"
import { selectPage } from "./Lists.js"

interface ResourceTable<A> {
  /** The table of the resources with its alias, and joins to other tables. */
  readonly tables: string
  readonly alias: string
  /** The columns of a row for `read`. */
  readonly columns: string
  readonly read: (row: object) => A
}

interface Conditions {
  /** The values of columns. An undefined value is no condition. */
  readonly equal?: Readonly<Record<string, string | boolean | undefined>>
  /** A text that one of the columns contains. */
  readonly search?: string | undefined
  readonly searched?: ReadonlyArray<string>
}

/** The statements of a table with the resources of organizations. */
export const resourceTable = <A>(sql: SqlClient.SqlClient, { alias, columns, read, tables }: ResourceTable<A>) => {
  const column = (name: string) => sql.literal(`${alias}.${name}`)

  const statement = (selected: string, organization: OrganizationId, id: string, lock = "") =>
    sql`SELECT ${sql.literal(selected)} FROM ${sql.literal(tables)}
      WHERE ${column("organization_id")} = ${organization} AND ${column("id")} = ${id} ${sql.literal(lock)}`

  const select = (organization: OrganizationId, id: string) =>
    Effect.map(statement(columns, organization, id), ([row]) => Option.map(Option.fromNullable(row), read))

  return {
    find: (organization: OrganizationId, id: string) => forRequest(select(organization, id)),
    /** A page of the organization's resources, newest first. */
    list: (organization: OrganizationId, { equal = {}, search, searched = [] }: Conditions, request: PageRequest) =>
      forRequest(
        selectPage(sql, request, {
          columns,
          tables,
          where: [
            sql`${column("organization_id")} = ${organization}`,
            ...Object.entries(equal).flatMap(([name, value]) =>
              value === undefined ? [] : [sql`${column(name)} = ${value}`]
            ),
            ...(search === undefined
              ? []
              : [
                  containsText(
                    sql,
                    search,
                    searched.map((name) => `${alias}.${name}`)
                  )
                ])
          ],
          id: `${alias}.id`,
          read
        })
      ),
    /** Locks a resource until `use` has ended. None if the organization has no such resource. */
    change: <B, E>(organization: OrganizationId, id: string, use: (present: A) => Effect.Effect<B, E>) =>
      // A statement that waited for the lock has the joined rows of before the wait: the next one has those of now.
      statement("", organization, id, `FOR UPDATE OF ${alias}`).pipe(
        Effect.zipRight(select(organization, id)),
        Effect.flatMap((present) => Effect.transposeMapOption(present, use)),
        sql.withTransaction,
        retryConflicts,
        forRequest
      )
  }
}
