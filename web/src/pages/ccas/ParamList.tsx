// Parameters as they are by themselves, to read.
import type { ParamDescriptor } from '#protocol/cca';
import { formatChosen } from '../../ui/format';
import css from './ccas.module.css';

export const ParamList = ({ params }: { readonly params: readonly ParamDescriptor[] }) =>
  params.length === 0 ? null : (
    <dl className={css['params']}>
      {params.map((param) => (
        <div key={param.name}>
          <dt>{param.label}</dt>
          <dd>
            {typeof param.default === 'number' ? formatChosen(param.default) : String(param.default)} {param.unit}
          </dd>
          <dd className={css['help']}>{param.help}</dd>
        </div>
      ))}
    </dl>
  );
