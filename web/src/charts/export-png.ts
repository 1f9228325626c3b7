// The SVG of a figure as PNG at twice its size. An SVG that is loaded as an image sees no web fonts, so the font goes along inside.
import interUrl from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import { withText, type PngText } from './png-text';

const SCALE = 2;

async function fontFace(): Promise<string> {
  const bytes = new Uint8Array(await (await fetch(interUrl)).arrayBuffer());
  let binary = '';
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return `<style>@font-face{font-family:'Inter Variable';font-weight:100 900;src:url(data:font/woff2;base64,${btoa(binary)}) format('woff2')}</style>`;
}

export async function svgToPng(svg: string, width: number, height: number, texts: readonly PngText[]): Promise<Blob> {
  const withFont = svg.replace(/(<svg[^>]*>)/, `$1${await fontFace()}`);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(withFont)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  const ctx = canvas.getContext('2d');
  if (ctx === null) throw new Error('This browser gives no 2D canvas to draw the PNG on.');
  ctx.scale(SCALE, SCALE);
  ctx.drawImage(image, 0, 0, width, height);
  const plain = await new Promise<Blob>((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The browser could not encode the PNG.')) : resolve(blob)),
      'image/png',
    ),
  );
  return new Blob([withText(new Uint8Array(await plain.arrayBuffer()), texts)], { type: 'image/png' });
}
