import { formatCoinPrice } from '#lib/format/p2p/prices.ts'
import { p2pTexts as texts } from '#messages/p2p/p2p.ts'
import { type Drawn, HEIGHT, WIDTH } from './depth.ts'

type Props = { drawn: Drawn; reference: string | undefined }

/** The depth chart of the book: drawn on the server, and again when the book changes. */
export function Depth({ drawn, reference }: Props) {
  return (
    <section className="card roomy" aria-labelledby="depth">
      <h2 id="depth" className="section-title">
        {texts.depth}
      </h2>
      <p className="text-sm text-muted">{drawn ? texts.depthAbout : texts.depthEmpty}</p>
      {drawn && (
        <div className="line">
          <div className="line-plot">
            <svg
              viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={texts.depthLabel(drawn.upTo.map(({ amount, price }) => texts.depthStep(amount, price)).join(', '))}
            >
              {drawn.ticks.map(({ y }) => (
                <path key={y} className="line-grid" d={`M0 ${y}H${WIDTH}`} />
              ))}
              <path className="line-area" d={drawn.area} />
              <path className="line-path" d={drawn.line} />
              {drawn.reference && <path className="depth-reference" d={drawn.reference} />}
              {drawn.own && <path className="depth-own" d={drawn.own} />}
            </svg>
            <svg className="line-scale figure" aria-hidden="true">
              {drawn.ticks.map(({ share, label }) => (
                <text key={label} x="100%" y={share}>
                  {label}
                </text>
              ))}
            </svg>
          </div>
          <p className="line-days figure" aria-hidden="true">
            {drawn.prices.map((price) => (
              <span key={price}>{price}</span>
            ))}
          </p>
          <ul className="depth-legend">
            {reference && <li className="depth-reference-key">{texts.referenceIs(`$${formatCoinPrice(reference, 'CPC')}`)}</li>}
            {drawn.own && <li className="depth-own-key">{texts.yourOrder}</li>}
            {drawn.beyond > 0 && <li>{texts.beyond(drawn.beyond)}</li>}
          </ul>
        </div>
      )}
    </section>
  )
}
