/** As far as it is used; the library says nothing of its types. */
declare module "mime" {
  const mime: { readonly getType: (path: string) => string | null }
  export default mime
}
