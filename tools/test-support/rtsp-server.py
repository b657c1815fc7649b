"""A small RTSP server for the tests: plays a transport stream file in real time at /live.

    rtsp-server.py PORT FILE tcp|udp video|klv|ts [USER PASSWORD]

`video` sends the H.264 alone as its own RTP stream, `klv` the metadata beside it as another (RFC 6597), cut into
packets as small as large sets are, `ts` the transport stream as it is. Prints "ready".
"""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402

WAYS = {
    "video": "tsdemux ! queue ! h264parse ! rtph264pay name=pay0 pt=96 config-interval=-1",
    "klv": "tsdemux name=parts"
    " parts. ! queue ! h264parse ! rtph264pay name=pay0 pt=96 config-interval=-1"
    " parts. ! queue ! meta/x-klv ! rtpklvpay name=pay1 pt=97 mtu=300",
    "ts": "tsparse set-timestamps=true ! rtpmp2tpay name=pay0 pt=33",
}

port, file, transport, way, *account = sys.argv[1:]
Gst.init(None)
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service(port)
factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch(f"( filesrc location={file} ! {WAYS[way]} )")
lower = GstRtsp.RTSPLowerTrans
factory.set_protocols(lower.TCP if transport == "tcp" else lower.UDP)
if account:
    user, password = account
    authentication = GstRtspServer.RTSPAuth()
    token = GstRtspServer.RTSPToken()
    token.set_string("media.factory.role", "viewer")
    authentication.add_basic(GstRtspServer.RTSPAuth.make_basic(user, password), token)
    server.set_auth(authentication)
    access = "viewer, media.factory.access=(boolean)true, media.factory.construct=(boolean)true"
    factory.add_role_from_structure(Gst.Structure.new_from_string(access))
server.get_mount_points().add_factory("/live", factory)
if server.attach(None) == 0:
    sys.exit("the port is taken")
print("ready", flush=True)
GLib.MainLoop().run()
