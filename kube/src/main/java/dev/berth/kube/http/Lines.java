package dev.berth.kube.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/// Cuts bytes into lines as they come. Holds little between two of them: there are many watches,
/// and most show nothing most of the time.
final class Lines {
  private static final int SMALL = 1024;
  private static final int LARGE = 64 * 1024;

  private byte[] held = new byte[SMALL];
  private int line; // where it begins
  private int from; // where it ends: what follows was not read yet
  private int looked; // before here is no end of a line
  private int to;

  /// Waits for more.
  ///
  /// @return whether there was more
  boolean fill(InputStream in) throws IOException {
    if (from == to) {
      line = from = looked = to = 0;
      if (held.length > LARGE) held = new byte[SMALL];
    }
    if (from > 0) {
      System.arraycopy(held, from, held, 0, to - from);
      to -= from;
      looked -= from;
      from = 0;
    }
    if (to == held.length) held = Arrays.copyOf(held, 2 * held.length);
    int read = in.read(held, to, held.length - to);
    if (read > 0) to += read;
    return read >= 0;
  }

  /// Goes to the next line that is there whole, if there is one.
  boolean next() {
    while (looked < to) {
      if (held[looked++] != '\n') continue;
      line = from;
      from = looked;
      return true;
    }
    return false;
  }

  /// The JSON of the line.
  JsonNode read() {
    return Trees.read(held, line, from - line);
  }
}
