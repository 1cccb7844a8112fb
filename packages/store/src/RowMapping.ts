import { DateTime, Option, Predicate, Record, Schema, String } from "effect"

/** NULL in a column is an absent field. */
export const nullable = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { nullable: true })

/** Decodes the first row. */
export const firstOf =
  <Row extends object, A>(read: (row: Row) => A) =>
  ([row]: ReadonlyArray<Row>) =>
    Option.map(Option.fromNullable(row), read)

/** Whether a statement returned rows. */
export const hasRows = (rows: ReadonlyArray<object>) => rows.length > 0

/** The fields of a resource that an update leaves. */
export const fixedFields = ["organizationId", "id", "createdAt"] as const

interface Columns<Field extends string> {
  /** The alias of the table. */
  readonly alias: string
  /** The columns of fields with another name than in snake case. */
  readonly named?: { readonly [Name in Field]?: string }
  /** SQL: the values of fields without a column. */
  readonly computed?: { readonly [Name in Field]?: string }
}

const isPrimitive = Predicate.or(Predicate.or(Predicate.isString, Predicate.isNumber), Predicate.isBoolean)

/** The value of a column: JSON for values that SQL has no type for. */
const columnValue = (value: unknown) => {
  if (value === undefined || value === null) return null
  if (DateTime.isDateTime(value)) return DateTime.toDateUtc(value)
  return isPrimitive(value) ? value : JSON.stringify(value)
}

const fieldValue = (value: unknown) => (value instanceof Date ? DateTime.unsafeFromDate(value) : value)

/** Maps the fields of a resource to columns of a table with the same names in snake case. An omitted field is NULL. */
export const rowMapping = <Fields extends Schema.Struct.Fields>(
  fields: Fields,
  { alias, computed = {}, named = {} }: Columns<keyof Fields & string>
) => {
  const sources: Readonly<Record<string, string | undefined>> = computed
  const names: Readonly<Record<string, string | undefined>> = named
  const columnOf = (field: string) => names[field] ?? String.camelToSnake(field)
  const validate = Schema.validateSync(Schema.Struct(fields))
  return {
    alias,
    /** The columns of a SELECT for `read`. */
    columns: Object.keys(fields)
      .map((field) => `${sources[field] ?? `${alias}.${columnOf(field)}`} AS "${field}"`)
      .join(", "),
    read: (row: object) => validate(Record.map(Record.filter({ ...row }, Predicate.isNotNull), fieldValue)),
    /** The columns of an INSERT, or of an UPDATE without the columns of `fixed` fields. */
    write: (
      values: Partial<Schema.Schema.Type<Schema.Struct<Fields>>>,
      fixed: ReadonlyArray<keyof Fields> = []
    ): Record<string, unknown> => {
      const given: Readonly<Record<string, unknown>> = { ...values }
      const written = Object.keys(fields).filter((field) => !(field in computed) && !fixed.includes(field))
      return Object.fromEntries(written.map((field) => [columnOf(field), columnValue(given[field])]))
    }
  }
}
