/** Text that PostgreSQL can't hold: NUL, and halves of surrogate pairs. */
const unstorable = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** Whether a text can be stored. */
export const isStorable = (text: string): boolean => !unstorable.test(text)
