// A name for a content of 32 hexadecimal digits: not secret, only the same for the same (FNV-1a, four times with other beginnings).

export function hexOf(text: string): string {
  return [0x811c9dc5, 0x01000193, 0x9e3779b9, 0x7f4a7c15]
    .map((start) => {
      let hash = start;
      for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
      return (hash >>> 0).toString(16).padStart(8, '0').toUpperCase();
    })
    .join('');
}
