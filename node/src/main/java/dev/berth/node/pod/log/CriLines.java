package dev.berth.node.pod.log;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/// What a container has written, out of a log in CRI's format: `TIME STREAM P|F TEXT`, where P says
/// that the line goes on in the next.
final class CriLines extends FilterInputStream {
  /// Of no engine; whatever is longer is not this format.
  private static final int LONGEST = 1 << 20;

  private final boolean timestamps;
  private final Optional<Instant> since;
  private long left;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final byte[] block = new byte[16 * 1024];
  private int at;
  private int filled;
  private byte[] ready = new byte[0];
  private int taken;

  /// Whether the line before was not whole, and whether it was shown.
  private boolean goesOn;

  private boolean shown = true;

  /// @param log a read of it may block; a line's end may come with a later one
  /// @param timestamps whether each line begins with its time
  /// @param since lines before are left out; empty: none
  /// @param limit most bytes of what the container has written
  CriLines(InputStream log, boolean timestamps, Optional<Instant> since, long limit) {
    super(log);
    this.timestamps = timestamps;
    this.since = since;
    this.left = limit;
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) return 0;
    while (taken == ready.length) {
      if (left == 0 || !next()) return -1;
    }
    int count = (int) Math.min(Math.min(length, ready.length - taken), left);
    if (count == 0) return -1;
    System.arraycopy(ready, taken, bytes, offset, count);
    taken += count;
    left -= count;
    return count;
  }

  /// Makes the next line ready, perhaps an empty one; false: there is none.
  private boolean next() throws IOException {
    line.reset();
    while (true) {
      if (at == filled) {
        filled = Math.max(0, in.read(block));
        at = 0;
        if (filled == 0) return line.size() > 0 && show();
      }
      int start = at;
      while (at < filled && block[at] != '\n') at++;
      line.write(block, start, at - start);
      if (at == filled && line.size() <= LONGEST) continue;
      if (at < filled) at++;
      return show();
    }
  }

  private boolean show() {
    var text = line.toByteArray();
    int time = indexOfBlank(text, 0);
    int stream = indexOfBlank(text, time + 1);
    int tag = indexOfBlank(text, stream + 1);
    taken = 0;
    if (time < 0 || stream < 0 || tag < 0) {
      ready = new byte[0]; // cut off by a full disk, or not ours
      return true;
    }
    var stamp = new String(text, 0, time, StandardCharsets.US_ASCII);
    boolean begins = !goesOn;
    if (begins) shown = since.isEmpty() || !before(stamp, since.get());
    goesOn = text[stream + 1] == 'P';
    var out = new ByteArrayOutputStream();
    if (shown) {
      if (timestamps && begins) out.writeBytes((stamp + " ").getBytes(StandardCharsets.US_ASCII));
      out.write(text, tag + 1, text.length - tag - 1);
      if (!goesOn) out.write('\n');
    }
    ready = out.toByteArray();
    return true;
  }

  private static boolean before(String stamp, Instant since) {
    try {
      return OffsetDateTime.parse(stamp).toInstant().isBefore(since);
    } catch (DateTimeParseException unreadable) {
      return false;
    }
  }

  private static int indexOfBlank(byte[] text, int from) {
    if (from < 0) return -1;
    for (int i = from; i < text.length; i++) if (text[i] == ' ') return i;
    return -1;
  }

  @Override
  public long skip(long count) {
    return 0;
  }

  @Override
  public int available() {
    return ready.length - taken;
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
