/** Descriptions of fields, by the name of their schema and their own name. */
export type FieldsBySchema = Readonly<Record<string, Readonly<Record<string, string>>>>
