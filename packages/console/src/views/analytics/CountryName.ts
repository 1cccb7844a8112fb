const names = new Intl.DisplayNames(["en"], { type: "region" })

/** The name of a country by its ISO 3166-1 alpha-2 code; other texts stay as they are. */
export const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code)
