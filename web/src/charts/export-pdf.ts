// The SVG of a figure as PDF: lines stay lines, and text stays text in a font that goes along. Fetched when somebody asks for a PDF.
import regularUrl from '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf?url';
import boldUrl from '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf?url';
import { jsPDF } from 'jspdf';
import { svg2pdf } from 'svg2pdf.js';
import { hexOf } from './file-id';
import { printable, type Letters } from './printable-svg';

/** CSS pixels are 1/96 inch, points 1/72. */
const POINTS = 0.75;

export interface PdfWords {
  readonly title: string;
  readonly description: string;
  readonly link: string;
  /** `Paceline 0.1.0+…`. */
  readonly software: string;
}

async function base64(url: string): Promise<string> {
  const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
  let binary = '';
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary);
}

/** What jsPDF knows of a font, of which its types say nothing. */
interface KnownFont {
  readonly metadata: {
    readonly characterToGlyph: (code: number) => number;
    readonly widthOfString: (text: string, size: number, space: number) => number;
  };
}

async function withFonts(pdf: jsPDF): Promise<Letters> {
  for (const [weight, url] of [
    ['normal', regularUrl],
    ['bold', boldUrl],
  ] as const) {
    pdf.addFileToVFS(`inter-${weight}.ttf`, await base64(url));
    pdf.addFont(`inter-${weight}.ttf`, 'Inter', weight);
  }
  const font = (bold: boolean): KnownFont['metadata'] => {
    pdf.setFont('Inter', bold ? 'bold' : 'normal');
    return (pdf.getFont() as unknown as KnownFont).metadata;
  };
  return {
    has: (text, bold) => Array.from(text).every((sign) => font(bold).characterToGlyph(sign.codePointAt(0) ?? 0) > 0),
    width: (text, size, bold) => font(bold).widthOfString(text, size, 0),
  };
}

/** The same view gives the same file: no time of day is in it. */
export async function svgToPdf(svg: string, width: number, height: number, words: PdfWords): Promise<Blob> {
  const [wide, high] = [width * POINTS, height * POINTS];
  const pdf = new jsPDF({
    unit: 'pt',
    format: [wide, high],
    orientation: wide > high ? 'landscape' : 'portrait',
    compress: true,
    putOnlyUsedFonts: true,
  });
  pdf.setProperties({
    title: words.title,
    subject: [words.description, words.link].filter((part) => part !== '').join('\n'),
    keywords: words.link,
    creator: words.software,
  });
  pdf.setFileId(hexOf(svg));
  const drawn = printable(new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement, await withFonts(pdf));
  // Its style and its boxes are asked for: it has to stand in the page, where nobody sees it.
  const place = document.createElement('div');
  place.style.cssText = 'position:absolute;left:-99999px;top:0;visibility:hidden';
  place.setAttribute('aria-hidden', 'true');
  place.append(drawn);
  document.body.append(place);
  try {
    await svg2pdf(drawn, pdf, { x: 0, y: 0, width: wide, height: high });
  } finally {
    place.remove();
  }
  const file = pdf.output().replace(/\/CreationDate \([^)]*\)/, (date) => ' '.repeat(date.length));
  return new Blob([Uint8Array.from(file, (sign) => sign.charCodeAt(0))], { type: 'application/pdf' });
}
