import { visiblePieces } from './visibleText.ts';

/** Foreign text: isolated from the direction of its surroundings, invisible characters by name, never HTML. */
export const Visible = ({ value }: { readonly value: string }) => (
  <bdi>
    {visiblePieces(value).map((piece, index) =>
      piece.kind === 'text' ? (
        piece.text
      ) : (
        <span
          key={`${index}${piece.code}`}
          title={`${piece.code} ${piece.name}`}
          className="mx-px rounded-sm border border-caution bg-caution-soft px-0.5 font-mono text-2xs text-caution"
        >
          {piece.times > 1 ? `${piece.name}×${piece.times}` : piece.name}
        </span>
      ),
    )}
  </bdi>
);
