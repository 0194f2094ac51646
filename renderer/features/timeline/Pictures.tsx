import { Picture } from '../../ui/Picture.tsx';
import { SectionLabel } from '../../ui/Screen.tsx';
import { timelineText as t } from './strings.ts';

const One = ({ label, sha256 }: { readonly label: string; readonly sha256: string | null }) => (
  <figure>
    <SectionLabel>{label}</SectionLabel>
    {sha256 === null ? (
      <p className="flex aspect-[16/10] items-center justify-center rounded-md border border-line bg-stage text-xs text-text-2">
        {t.noPicture}
      </p>
    ) : (
      <Picture sha256={sha256} alt={label} className="aspect-[16/10] rounded-md outline outline-line" />
    )}
  </figure>
);

/** Before and after, when there is at least one. */
export const Pictures = ({ before, after }: { readonly before: string | null; readonly after: string | null }) => {
  if (before === null && after === null) return null;
  return (
    <section aria-label={t.pictures} className="grid grid-cols-2 gap-3">
      <One label={t.before} sha256={before} />
      <One label={t.after} sha256={after} />
    </section>
  );
};
