package dev.berth.apiserver.http.stream;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.locks.ReentrantLock;

/// The same over SPDY/3.1, as API servers ask node agents for it: on a connection that has been
/// upgraded already.
public final class SpdyStreams {
  /// What the connection is upgraded to.
  public static final String UPGRADE = "SPDY/3.1";

  /// The protocol of a program's streams.
  public static final String PROGRAM = "v4.channel.k8s.io";

  /// The protocol of connections to a pod's ports.
  public static final String PORTS = "portforward.k8s.io";

  private SpdyStreams() {}

  /// Carries a program's streams until the client leaves.
  ///
  /// @param terminal whether the program gets one
  /// @param hangUp says to the client that nothing more comes
  public static void program(
      InputStream in, OutputStream out, Wanted wanted, boolean terminal, Runnable hangUp) {
    new ProgramConnection(new SpdyConnection(in, new Whole(out)), wanted, terminal, hangUp).serve();
  }

  /// Carries connections to a pod's ports until the client leaves.
  public static void ports(InputStream in, OutputStream out, PortForward.Ports ports) {
    new PortForward(new SpdyConnection(in, new Whole(out)), ports).serve();
  }

  /// Several threads write, a frame at once each.
  private static final class Whole extends FilterOutputStream {
    private final ReentrantLock writing = new ReentrantLock();

    Whole(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      writing.lock();
      try {
        out.write(bytes, offset, length);
        out.flush();
      } finally {
        writing.unlock();
      }
    }
  }
}
