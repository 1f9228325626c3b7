import { CARD, ogCard, type Typesetter } from '#analysis/og-card';
import type { Lab } from '../lab.ts';
import { remembered } from '../remember.ts';
import { SharedAnswers } from '../shared-answers.ts';
import { cardOf, type Subject } from './subjects.ts';
import { typesetter } from './typesetter.ts';

/** Some 30 kB each. */
const KEPT = 128;

/** The pictures of pages, made when somebody asks for one, beside the thread that answers. */
export class OgPictures {
  readonly #lab: Lab;
  readonly #made = new SharedAnswers<Buffer>(KEPT);
  readonly #type = remembered<Typesetter>(typesetter);

  constructor(lab: Lab) {
    this.#lab = lab;
  }

  png(subject: Subject, signal: AbortSignal): Promise<Buffer> {
    const { kind, id, version, title } = subject;
    return this.#made.ask(JSON.stringify([kind, id, version, title]), signal, () => this.#make(subject));
  }

  async #make(subject: Subject): Promise<Buffer> {
    const svg = ogCard(await cardOf(this.#lab, subject), await this.#type());
    const { renderAsync } = await import('@resvg/resvg-js');
    const image = await renderAsync(svg, {
      fitTo: { mode: 'width', value: CARD.width },
      font: { loadSystemFonts: false },
    });
    return image.asPng();
  }
}
