package dev.berth.kube.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// A stream with whose end something is given back, once.
final class Lent extends FilterInputStream {
  private final Runnable back;
  private boolean left;

  Lent(InputStream body, Runnable back) {
    super(body);
    this.back = back;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    return in.read(into, offset, length);
  }

  @Override
  public void close() throws IOException {
    if (!left) back.run();
    left = true;
    in.close();
  }
}
