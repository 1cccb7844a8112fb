/** The library has no types: declares the function in use. */
declare module "mime" {
  const mime: { readonly getType: (path: string) => string | null }
  export default mime
}
