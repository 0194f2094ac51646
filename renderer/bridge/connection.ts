import { create } from 'zustand';

export type ConnectionStatus = 'connecting' | 'live' | 'offline';

export interface Connection {
  readonly status: ConnectionStatus;
  /** When the connection was lost (local clock), while it is. */
  readonly lostAt: number | null;
}

export const useConnection = create<Connection>(() => ({ status: 'connecting', lostAt: null }));

export const setConnection = (status: ConnectionStatus): void => {
  const { lostAt } = useConnection.getState();
  useConnection.setState({ status, lostAt: status === 'live' ? null : (lostAt ?? Date.now()) });
};
