/** The mark of each token by code: the SVG's content, without the `svg` element. */
const files = import.meta.glob<string>('./marks/*.svg', { eager: true, query: '?raw', import: 'default' })

const inner = (svg: string) => svg.replace(/^<svg[^>]*>/, '').replace(/<\/svg>\s*$/, '')

export const marks: Record<string, string> = Object.fromEntries(
  Object.entries(files).map(([path, svg]) => [path.replace(/^\.\/marks\/|\.svg$/g, ''), inner(svg)])
)
