import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../ui/button';
import { Icon } from '../../ui/icons';

export const EditLink = ({ id }: { readonly id: string }) => (
  <Link to="/traces/$id/edit" params={{ id }} className={buttonClass({})}>
    <Icon name="scissors" />
    Edit
  </Link>
);
