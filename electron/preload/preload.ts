import { contextBridge, ipcRenderer } from 'electron';
import { ipcChannels, type HostBridge } from '../ipc.ts';

const bridge: HostBridge = {
  token: async () => {
    const token: unknown = await ipcRenderer.invoke(ipcChannels.token);
    if (typeof token !== 'string') throw new Error('The host gave no token.');
    return token;
  },
  platform: process.platform,
};

contextBridge.exposeInMainWorld('signalbox', bridge);
