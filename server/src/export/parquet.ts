// Parquet, one row group at a time: what has been written is handed on and forgotten, so a file may be larger than the memory.
import { ByteWriter, ParquetWriter, schemaFromColumnData, type ColumnSource } from 'hyparquet-writer';

export type ParquetValue = string | number | boolean | null;

export interface ParquetColumn {
  readonly name: string;
  readonly type: 'DOUBLE' | 'FLOAT' | 'INT32' | 'BOOLEAN' | 'STRING';
  /** Whether a value may be missing. */
  readonly nullable: boolean;
}

/** A writer whose bytes can be taken away in between; offsets keep counting. */
class PassingWriter extends ByteWriter {
  take(): Uint8Array {
    const bytes = this.getBytes().slice();
    this.index = 0;
    return bytes;
  }
}

export class ParquetStream {
  readonly #columns: readonly ParquetColumn[];
  readonly #writer = new PassingWriter(64 * 1024);
  readonly #parquet: ParquetWriter;

  /** `metadata` is found again under its keys in the file’s key-value metadata. */
  constructor(columns: readonly ParquetColumn[], metadata: Readonly<Record<string, string>>) {
    this.#columns = columns;
    this.#parquet = new ParquetWriter({
      writer: this.#writer,
      schema: schemaFromColumnData({ columnData: this.#sources(columns.map(() => [])) }),
      kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
      createdBy: 'paceline',
    });
  }

  /** One row group; `values` holds one array per column. Returns the bytes that are ready. */
  rowGroup(values: readonly (readonly ParquetValue[])[]): Uint8Array {
    const rows = values[0]?.length ?? 0;
    if (rows > 0) void this.#parquet.write({ columnData: this.#sources(values), rowGroupSize: rows });
    return this.#writer.take();
  }

  /** The footer. */
  finish(): Uint8Array {
    void this.#parquet.finish();
    return this.#writer.take();
  }

  #sources(values: readonly (readonly ParquetValue[])[]): ColumnSource[] {
    return this.#columns.map(({ name, type, nullable }, i) => ({ name, type, nullable, data: [...(values[i] ?? [])] }));
  }
}
