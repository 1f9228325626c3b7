// Packets as elements of an SVG, one each, moved with every frame: what the picture of packets is measured against.
import type { PacketFacts } from '../packets/facts';
import type { Playhead } from '../packets/playhead';
import { deepest, geometryOf, sceneAt } from '../packets/scene';

const SVG = 'http://www.w3.org/2000/svg';

/** Gives back what draws the scene of the playhead. */
export function naivePackets(host: HTMLElement, facts: PacketFacts, playhead: Playhead): () => void {
  const svg = document.createElementNS(SVG, 'svg');
  const geometry = geometryOf({ width: 1158, height: 210, places: deepest(facts), flows: 2, delay_s: 0.01 });
  svg.setAttribute('width', String(geometry.width));
  svg.setAttribute('height', String(geometry.height));
  host.append(svg);
  const rects: SVGRectElement[] = [];
  return () => {
    let used = 0;
    for (const { packets } of sceneAt(facts, playhead.getAt(), geometry).flows)
      for (let i = 0; i < packets.length; i += 4) {
        let rect = rects[used];
        if (rect === undefined) {
          rect = svg.appendChild(document.createElementNS(SVG, 'rect'));
          rects.push(rect);
        }
        for (const [at, name] of ['x', 'y', 'width', 'height'].entries())
          rect.setAttribute(name, String(packets[i + at]));
        used += 1;
      }
    for (const rest of rects.splice(used)) rest.remove();
  };
}
