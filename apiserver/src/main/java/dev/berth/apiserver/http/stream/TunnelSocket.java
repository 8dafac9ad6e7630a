package dev.berth.apiserver.http.stream;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/// A connection of bytes over a WebSocket, with SPDY on it, in which kubectl forwards ports.
final class TunnelSocket extends Socket {
  private final PortForward forward;
  private final Received received = new Received();

  TunnelSocket(PortForward.Ports ports, Runnable gone) {
    super(gone);
    this.forward =
        new PortForward(
            new SpdyConnection(
                received,
                new OutputStream() {
                  @Override
                  public void write(int b) throws IOException {
                    write(new byte[] {(byte) b}, 0, 1);
                  }

                  @Override
                  public void write(byte[] bytes, int offset, int length) throws IOException {
                    send(ByteBuffer.wrap(bytes, offset, length));
                  }
                }),
            ports);
  }

  @Override
  void opened() {
    forward.serve();
    end();
  }

  @Override
  void received(byte[] bytes, boolean first) throws IOException {
    received.add(bytes);
  }

  @Override
  void closed() {
    received.end();
    forward.close();
  }
}
