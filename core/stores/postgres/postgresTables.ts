import type { ClientBase } from 'pg';
import type { ColumnType, Json, Row, RowChange, RowQuery, TableDeclaration } from '../../kernel/eventStore.ts';

/** SQL of the declared tables. Names come from the schema, never from a caller; values are always bound. */

type SqlValue = string | number | null;

/** JSON is kept as the text that was written: a rebuilt row must be the same, key order included. */
const sqlTypes: Readonly<Record<ColumnType, string>> = { text: 'TEXT', integer: 'BIGINT', json: 'TEXT' };

const columnSql = (table: TableDeclaration): string =>
  Object.entries(table.columns)
    .map(([name, type]) => {
      if (name === table.sequence) return `${name} BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY`;
      if (name !== table.key) return `${name} ${sqlTypes[type]}`;
      return `${name} ${sqlTypes[type]} NOT NULL ${table.sequence === undefined ? 'PRIMARY KEY' : 'UNIQUE'}`;
    })
    .join(', ');

export const createTableSql = (table: TableDeclaration): readonly string[] => [
  `CREATE TABLE IF NOT EXISTS ${table.name} (${columnSql(table)})`,
  ...table.indexes.map(
    (columns) =>
      `CREATE INDEX IF NOT EXISTS ${table.name}_by_${columns.join('_')} ON ${table.name} (${columns.join(', ')})`,
  ),
];

const encode = (type: ColumnType, value: Json | undefined): SqlValue => {
  if (value === undefined || value === null) return null;
  if (type === 'json') return JSON.stringify(value);
  return typeof value === 'string' || typeof value === 'number' ? value : Number(value);
};

const decode = (table: TableDeclaration, row: Readonly<Record<string, unknown>>): Row =>
  Object.fromEntries(
    Object.entries(table.columns).map(([name, type]): [string, Json] => {
      const value = (row[name] ?? null) as string | number | null;
      return [name, type === 'json' && typeof value === 'string' ? (JSON.parse(value) as Json) : value];
    }),
  );

interface Clause {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

const whereOf = (table: TableDeclaration, query: RowQuery): Clause => {
  const parts: string[] = [];
  const values: SqlValue[] = [];
  const bind = (value: SqlValue): string => `$${values.push(value)}`;
  for (const [name, wanted] of Object.entries(query.where ?? {})) {
    const type = table.columns[name];
    if (type === undefined) throw new TypeError(`${table.name} has no column ${name}.`);
    if (wanted === null) parts.push(`${name} IS NULL`);
    else if (!Array.isArray(wanted)) parts.push(`${name} = ${bind(encode(type, wanted))}`);
    else if (wanted.length === 0) parts.push('FALSE');
    else parts.push(`${name} IN (${wanted.map((value: Json) => bind(encode(type, value))).join(', ')})`);
  }
  if (query.order !== undefined && query.past !== undefined) {
    parts.push(`${query.order.column} ${query.order.direction === 'asc' ? '>' : '<'} ${bind(query.past)}`);
  }
  return { sql: parts.length === 0 ? '' : ` WHERE ${parts.join(' AND ')}`, values };
};

/** SQLite compares text byte by byte and puts nulls first; the same order here. */
const orderOf = (table: TableDeclaration, query: RowQuery): string => {
  if (query.order === undefined) return '';
  const { column, direction } = query.order;
  const collate = table.columns[column] === 'integer' ? '' : ' COLLATE "C"';
  return ` ORDER BY ${column}${collate} ${direction} NULLS ${direction === 'asc' ? 'FIRST' : 'LAST'}`;
};

export class PostgresTables {
  readonly #byName: ReadonlyMap<string, TableDeclaration>;

  constructor(declarations: readonly TableDeclaration[]) {
    this.#byName = new Map(declarations.map((table) => [table.name, table]));
  }

  declaration(name: string): TableDeclaration {
    const table = this.#byName.get(name);
    if (table === undefined) throw new TypeError(`There is no table ${name}.`);
    return table;
  }

  async get(db: ClientBase, name: string, key: string): Promise<Row | null> {
    const table = this.declaration(name);
    const { rows } = await db.query(`SELECT * FROM ${name} WHERE ${table.key} = $1`, [key]);
    return rows[0] === undefined ? null : decode(table, rows[0] as Record<string, unknown>);
  }

  async query(db: ClientBase, name: string, query: RowQuery): Promise<readonly Row[]> {
    const table = this.declaration(name);
    const where = whereOf(table, query);
    const limit = query.limit === undefined ? '' : ` LIMIT ${Math.trunc(query.limit)}`;
    const sql = `SELECT * FROM ${name}${where.sql}${orderOf(table, query)}${limit}`;
    const { rows } = await db.query(sql, [...where.values]);
    return (rows as Record<string, unknown>[]).map((row) => decode(table, row));
  }

  async count(db: ClientBase, name: string, where: RowQuery['where']): Promise<number> {
    const { sql, values } = whereOf(this.declaration(name), where === undefined ? {} : { where });
    const { rows } = await db.query(`SELECT count(*)::BIGINT AS n FROM ${name}${sql}`, [...values]);
    return (rows[0] as { n: number }).n;
  }

  async apply(db: ClientBase, change: RowChange): Promise<void> {
    const table = this.declaration(change.table);
    switch (change.op) {
      case 'put':
        await this.#put(db, table, change.row);
        return;
      case 'patch':
        await this.#patch(db, table, change.key, change.set);
        return;
      case 'delete':
        await db.query(`DELETE FROM ${table.name} WHERE ${table.key} = $1`, [change.key]);
    }
  }

  async insert(db: ClientBase, name: string, row: Row): Promise<number> {
    const table = this.declaration(name);
    const names = Object.keys(table.columns).filter((column) => column !== table.sequence);
    const sql = `INSERT INTO ${name} (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')}) RETURNING ${table.sequence ?? table.key} AS n`;
    const { rows } = await db.query(sql, this.#values(table, names, row));
    return (rows[0] as { n: number }).n;
  }

  async clear(db: ClientBase, name: string): Promise<void> {
    await db.query(`DELETE FROM ${this.declaration(name).name}`);
  }

  async #put(db: ClientBase, table: TableDeclaration, row: Row): Promise<void> {
    const names = Object.keys(table.columns);
    const marks = names.map((_, index) => `$${index + 1}`).join(', ');
    const sets = names.filter((name) => name !== table.key).map((name) => `${name} = EXCLUDED.${name}`);
    const on = sets.length === 0 ? 'DO NOTHING' : `DO UPDATE SET ${sets.join(', ')}`;
    const sql = `INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${marks}) ON CONFLICT (${table.key}) ${on}`;
    await db.query(sql, this.#values(table, names, row));
  }

  async #patch(db: ClientBase, table: TableDeclaration, key: string, set: Row): Promise<void> {
    const names = Object.keys(set).filter((name) => table.columns[name] !== undefined);
    if (names.length === 0) return;
    const sets = names.map((name, index) => `${name} = $${index + 1}`).join(', ');
    const sql = `UPDATE ${table.name} SET ${sets} WHERE ${table.key} = $${names.length + 1}`;
    await db.query(sql, [...this.#values(table, names, set), key]);
  }

  #values(table: TableDeclaration, names: readonly string[], row: Row): SqlValue[] {
    return names.map((name) => encode(table.columns[name] ?? 'text', row[name]));
  }
}
