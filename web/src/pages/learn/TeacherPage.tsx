// For whoever gives the lessons: what answers each question, and the link to the run that does.
import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { ExperimentSpec } from '#protocol/spec';
import { LESSONS } from '../../learn/lessons';
import { enginesQuery } from '../../api/queries';
import { useCrumbs } from '../frame/crumbs';
import { PageHead } from '../../ui/page';
import { WideTable } from '../../ui/scroll';
import { specText } from '../../what-if/address';
import { movedText } from '../../what-if/moved-text';
import page from '../../ui/page.module.css';

export function TeacherPage() {
  useCrumbs('For teachers', { label: 'Lessons', to: '/learn' });
  const { data: listing } = useQuery(enginesQuery);
  return (
    <>
      <PageHead title="For teachers">
        One answer to each question, and its run. A link to a lesson, also with something moved in it, opens as it was
        sent.
      </PageHead>
      <WideTable label="Answers to the lessons">
        <table className={page['table']}>
          <thead>
            <tr>
              <th>Lesson</th>
              <th>Question</th>
              <th>One answer</th>
            </tr>
          </thead>
          <tbody>
            {LESSONS.map(({ id, title, question, spec, solution }) => {
              const [before, after] = [ExperimentSpec.parse(spec), ExperimentSpec.parse({ ...spec, ...solution })];
              return (
                <tr key={id}>
                  <td>
                    <Link to="/learn/$id" params={{ id }}>
                      {title}
                    </Link>
                  </td>
                  <td>{question}</td>
                  <td>
                    <Link to="/learn/$id" params={{ id }} search={{ spec: specText(after) }}>
                      {listing === undefined ? 'The answer' : movedText(before, after, listing)}
                    </Link>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </WideTable>
    </>
  );
}
