package dev.berth.linux.tool;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// Keeps the beginning and the end of what is written, however much that is.
final class BothEnds extends OutputStream {
  private static final int MOST = 32 * 1024;

  private final ByteArrayOutputStream beginning = new ByteArrayOutputStream();

  /// The latest bytes, in a circle.
  private final byte[] end = new byte[MOST];

  private long afterBeginning;

  @Override
  public void write(int single) {
    write(new byte[] {(byte) single}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    int first = Math.min(length, MOST - beginning.size());
    beginning.write(bytes, offset, first);
    for (int i = offset + first; i < offset + length; i++)
      end[(int) (afterBeginning++ % MOST)] = bytes[i];
  }

  /// All of it or, with a line between that says so, what was kept.
  String text() {
    long lost = Math.max(0, afterBeginning - MOST);
    var kept = new ByteArrayOutputStream();
    kept.writeBytes(beginning.toByteArray());
    if (lost > 0)
      kept.writeBytes(
          "\n… (%d bytes left out) …\n".formatted(lost).getBytes(StandardCharsets.UTF_8));
    for (long i = lost; i < afterBeginning; i++) kept.write(end[(int) (i % MOST)]);
    return kept.toString(StandardCharsets.UTF_8);
  }
}
