// First of all: what tells the runs apart before they ran. Fields that are the same in all are folded away.
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { manifestDifference, type ManifestField } from '#analysis/manifest-difference';
import type { RunRecord } from '#protocol/api';
import type { CcaDescriptor } from '#protocol/cca';
import { LiveOnly } from '../../share/frozen';
import { IconButton } from '../../ui/button';
import { CcaMark } from '../../ui/cca-mark';
import { cx } from '../../ui/cx';
import { plural } from '../../ui/format';
import { Section } from '../../ui/page';
import { WideTable } from '../../ui/scroll';
import page from '../../ui/page.module.css';
import css from './compare.module.css';

interface WhatDiffersProps {
  readonly records: readonly RunRecord[];
  readonly labels: readonly string[];
  readonly ccas: ReadonlyMap<string, CcaDescriptor>;
  /** Absent: none can be left out. */
  readonly onLeaveOut: ((id: string) => void) | undefined;
}

export function WhatDiffers({ records, labels, ccas, onLeaveOut }: WhatDiffersProps) {
  const { groups, equal } = useMemo(() => manifestDifference(records.map(({ manifest }) => manifest)), [records]);
  const differing = groups.reduce((total, { fields }) => total + fields.length, 0);
  return (
    <Section
      title="What differs"
      note={
        differing === 0
          ? 'Nothing: all fields of their manifests are the same.'
          : `Between the manifests of these runs: ${plural(differing, 'field')} of ${differing + equal.length}.`
      }
    >
      <WideTable label="What differs between the runs">
        <table className={cx(page['table'], page['pinned'], css['fields'])}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              {records.map(({ id, manifest }, i) => (
                <th key={id} scope="col">
                  <span className={css['run']}>
                    <CcaMark cca={ccas.get(manifest.flows[0]?.cca.id ?? '')} size={14} />
                    <Link to="/r/$id" params={{ id }}>
                      {labels[i]}
                    </Link>
                    {onLeaveOut === undefined ? null : (
                      <LiveOnly>
                        <IconButton
                          icon="close"
                          size="small"
                          label={`Leave out ${labels[i] ?? ''}`}
                          onPress={() => onLeaveOut(id)}
                        />
                      </LiveOnly>
                    )}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          {groups.map(({ title, fields }) => (
            <tbody key={title}>
              <tr className={css['group']}>
                <th scope="rowgroup" colSpan={records.length + 1}>
                  {title}
                </th>
              </tr>
              {fields.map((field) => (
                <Row key={field.path} field={field} />
              ))}
            </tbody>
          ))}
        </table>
      </WideTable>
      <details className={css['equal']}>
        <summary>{plural(equal.length, 'field')} the same in all</summary>
        <WideTable label="Fields that are the same in all" className={css['equalTable']}>
          <table className={page['table']}>
            <tbody>
              {equal.map(({ path, label, texts }) => (
                <tr key={path}>
                  <th scope="row" title={path}>
                    {label}
                  </th>
                  <td>{texts[0]}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      </details>
    </Section>
  );
}

const Row = ({ field: { path, label, texts } }: { readonly field: ManifestField }) => (
  <tr>
    <th scope="row" title={path}>
      {label}
    </th>
    {texts.map((text, i) => (
      <td key={i} className={i > 0 && text === texts[0] ? css['as'] : undefined}>
        {text}
      </td>
    ))}
  </tr>
);
