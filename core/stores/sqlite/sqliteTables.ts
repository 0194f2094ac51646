import type Database from 'libsql';
import type { Json, Row, RowChange, RowQuery, TableDeclaration } from '../../kernel/eventStore.ts';

/** SQL of the declared tables. Names come from the schema, never from a caller; values are always bound. */

type SqlValue = string | number | bigint | null;
type SqlRow = Readonly<Record<string, unknown>>;

const sqlTypes = { text: 'TEXT', integer: 'INTEGER', json: 'TEXT' } as const;

const columnSql = (table: TableDeclaration): string =>
  Object.entries(table.columns)
    .map(([name, type]) => {
      if (name === table.sequence) return `${name} INTEGER PRIMARY KEY AUTOINCREMENT`;
      if (name !== table.key) return `${name} ${sqlTypes[type]}`;
      return `${name} ${sqlTypes[type]} NOT NULL ${table.sequence === undefined ? 'PRIMARY KEY' : 'UNIQUE'}`;
    })
    .join(', ');

export const createTableSql = (table: TableDeclaration): readonly string[] => [
  `CREATE TABLE IF NOT EXISTS ${table.name} (${columnSql(table)})${table.sequence === undefined ? ' WITHOUT ROWID' : ''}`,
  ...table.indexes.map(
    (columns) =>
      `CREATE INDEX IF NOT EXISTS ${table.name}_by_${columns.join('_')} ON ${table.name} (${columns.join(', ')})`,
  ),
];

const encode = (type: 'text' | 'integer' | 'json', value: Json | undefined): SqlValue => {
  if (value === undefined || value === null) return null;
  if (type === 'json') return JSON.stringify(value);
  return typeof value === 'string' || typeof value === 'number' ? value : Number(value);
};

const decode = (table: TableDeclaration, row: SqlRow): Row =>
  Object.fromEntries(
    Object.entries(table.columns).map(([name, type]): [string, Json] => {
      const value = (row[name] ?? null) as string | number | null;
      return [name, type === 'json' && typeof value === 'string' ? (JSON.parse(value) as Json) : value];
    }),
  );

interface Where {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

const whereOf = (table: TableDeclaration, query: RowQuery): Where => {
  const parts: string[] = [];
  const values: SqlValue[] = [];
  for (const [name, wanted] of Object.entries(query.where ?? {})) {
    const type = table.columns[name];
    if (type === undefined) throw new TypeError(`${table.name} has no column ${name}.`);
    if (Array.isArray(wanted)) {
      parts.push(`${name} IN (${wanted.map(() => '?').join(', ')})`);
      values.push(...wanted.map((value: Json) => encode(type, value)));
    } else if (wanted === null) {
      parts.push(`${name} IS NULL`);
    } else {
      parts.push(`${name} = ?`);
      values.push(encode(type, wanted));
    }
  }
  if (query.order !== undefined && query.past !== undefined) {
    parts.push(`${query.order.column} ${query.order.direction === 'asc' ? '>' : '<'} ?`);
    values.push(query.past);
  }
  return { sql: parts.length === 0 ? '' : ` WHERE ${parts.join(' AND ')}`, values };
};

export interface SqliteTables {
  get(table: string, key: string): Row | null;
  query(table: string, query: RowQuery): readonly Row[];
  count(table: string, where: RowQuery['where']): number;
  apply(change: RowChange): void;
  insert(table: string, row: Row): number;
  clear(table: string): void;
  declaration(table: string): TableDeclaration;
}

/** Reads and writes on one connection. Statements are prepared once per shape. */
export const sqliteTables = (db: Database.Database, declarations: readonly TableDeclaration[]): SqliteTables => {
  const byName = new Map(declarations.map((table) => [table.name, table]));
  const prepared = new Map<string, Database.Statement>();

  const declaration = (name: string): TableDeclaration => {
    const table = byName.get(name);
    if (table === undefined) throw new TypeError(`There is no table ${name}.`);
    return table;
  };
  const statement = (sql: string): Database.Statement => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const made = db.prepare(sql);
    prepared.set(sql, made);
    return made;
  };
  const encodeRow = (table: TableDeclaration, names: readonly string[], row: Row): SqlValue[] =>
    names.map((name) => encode(table.columns[name] ?? 'text', row[name]));

  const put = (table: TableDeclaration, row: Row): void => {
    const names = Object.keys(table.columns);
    const sql = `INSERT OR REPLACE INTO ${table.name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
    statement(sql).run(encodeRow(table, names, row));
  };
  const patch = (table: TableDeclaration, key: string, set: Row): void => {
    const names = Object.keys(set).filter((name) => table.columns[name] !== undefined);
    const sql = `UPDATE ${table.name} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE ${table.key} = ?`;
    statement(sql).run([...encodeRow(table, names, set), key]);
  };

  return {
    declaration,
    get(name, key) {
      const table = declaration(name);
      const row = statement(`SELECT * FROM ${name} WHERE ${table.key} = ?`).get([key]) as SqlRow | undefined;
      return row === undefined ? null : decode(table, row);
    },
    query(name, query) {
      const table = declaration(name);
      const where = whereOf(table, query);
      const order = query.order === undefined ? '' : ` ORDER BY ${query.order.column} ${query.order.direction}`;
      const limit = query.limit === undefined ? '' : ` LIMIT ${Math.trunc(query.limit)}`;
      const rows = statement(`SELECT * FROM ${name}${where.sql}${order}${limit}`).all([...where.values]);
      return (rows as SqlRow[]).map((row) => decode(table, row));
    },
    count(name, where) {
      const { sql, values } = whereOf(declaration(name), where === undefined ? {} : { where });
      const row = statement(`SELECT count(*) AS n FROM ${name}${sql}`).get([...values]) as { n: number };
      return row.n;
    },
    apply(change) {
      const table = declaration(change.table);
      switch (change.op) {
        case 'put':
          return put(table, change.row);
        case 'patch':
          return patch(table, change.key, change.set);
        case 'delete':
          statement(`DELETE FROM ${table.name} WHERE ${table.key} = ?`).run([change.key]);
      }
    },
    insert(name, row) {
      const table = declaration(name);
      const names = Object.keys(table.columns).filter((column) => column !== table.sequence);
      const sql = `INSERT INTO ${name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
      return Number(statement(sql).run(encodeRow(table, names, row)).lastInsertRowid);
    },
    clear(name) {
      db.exec(`DELETE FROM ${declaration(name).name}`);
    },
  };
};
