import { describe, expect, it } from 'vitest';
import { parseFrame } from './frames.ts';

const encode = (header: Record<string, unknown>, image: readonly number[]): ArrayBuffer => {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(4 + json.length + image.length);
  new DataView(bytes.buffer).setUint32(0, json.length);
  bytes.set(json, 4);
  bytes.set(image, 4 + json.length);
  return bytes.buffer;
};
const header = { surface_id: 'sur_é', frame: 3, width: 1280, height: 800, at: 1, media_type: 'image/jpeg' };

describe('parseFrame', () => {
  it('splits header and picture', () => {
    const frame = parseFrame(encode(header, [1, 2, 3]));
    expect(frame?.header).toEqual(header);
    expect([...(frame?.image ?? [])]).toEqual([1, 2, 3]);
  });

  it('refuses what is not a frame', () => {
    expect(parseFrame(new ArrayBuffer(2))).toBeNull();
    expect(parseFrame(new Uint8Array([0, 0, 0, 9, 1]).buffer)).toBeNull();
    expect(parseFrame(encode({ ...header, media_type: 'text/html' }, []))).toBeNull();
    expect(parseFrame(new Uint8Array([0, 0, 0, 1, 0x7b]).buffer)).toBeNull();
  });
});
