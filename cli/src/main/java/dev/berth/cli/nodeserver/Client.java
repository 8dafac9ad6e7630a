package dev.berth.cli.nodeserver;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import javax.net.ssl.SSLSocket;

/// Who asks, and is known.
///
/// @param in what comes after the head of the request
/// @param goesSoon has the connection ended in a short time, whatever is read or written on it
record Client(SSLSocket socket, InputStream in, Out out, Runnable goesSoon) {
  /// What goes to a client: whoever has been told nothing yet can be told what went wrong.
  static final class Out extends FilterOutputStream {
    private volatile boolean begun;

    Out(OutputStream out) {
      super(out);
    }

    /// Whether a word of an answer may have gone.
    boolean begun() {
      return begun;
    }

    @Override
    public void write(int one) throws IOException {
      begun = true;
      out.write(one);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      begun = true;
      out.write(bytes, offset, length);
    }
  }
}
