"""
Plays every network between a client and the servers, on one TUN device of one machine.

A packet to an address of elsewhere comes out of the device. It goes back in with source and destination exchanged, so it
reaches a server on this machine, which sees that address as the client; its answers take the same way back. The exchange
changes no checksum. The tens of an address's last number say what its network does to packets (see network.ts).
"""

import fcntl
import os
import select
import struct

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
SYN, ACK = 2, 16

def exchanged(packet, start, size):
    middle, end = start + size, start + 2 * size
    return packet[:start] + packet[middle:end] + packet[start:middle] + packet[end:]

def is_first(packet, kind, body, seen):
    """Whether this is the SYN that nobody sent before from this port."""
    flow = packet[8 : body + 4] if packet[0] >> 4 == 6 else packet[12 : body + 4]
    if kind != 6 or packet[body + 13] & (SYN | ACK) != SYN or flow in seen:
        return False
    seen.add(flow)
    return True

def relay(device):
    seen = set()
    while True:
        if 0 in select.select([device, 0], [], [])[0]:
            return
        packet = os.read(device, 65536)
        if packet[0] >> 4 == 4:
            start, size, kind, body = 12, 4, packet[9], (packet[0] & 15) * 4
            network = packet[19] // 10
        else:
            start, size, kind, body = 8, 16, packet[6], 40
            network = packet[39] >> 4
        if kind not in (6, 17) or network == 2:
            continue
        if network == 6 and is_first(packet, kind, body, seen):
            continue
        if network == 7 and len(packet) > 1400:
            continue
        os.write(device, exchanged(packet, start, size))

def main():
    device = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH", b"tun0", IFF_TUN | IFF_NO_PI))
    print("ready", flush=True)
    relay(device)

main()
