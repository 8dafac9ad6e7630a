package dev.berth.kube.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.api.Api;
import dev.berth.kube.testing.Ended;
import dev.berth.kube.testing.Silence;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What comes of the bytes of a watch.
@Timeout(60)
@ExtendWith(Silence.class)
class WatchStreamTest {
  private final Ended told = new Ended();

  /// Gives what it is given, one part at a time, and waits for the next.
  private static final class Parts extends InputStream {
    private final BlockingQueue<byte[]> parts = new LinkedBlockingQueue<>();
    private byte[] rest = {};

    void give(String text) {
      parts.add(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public int read() {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0];
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      try {
        if (rest.length == 0) rest = parts.take();
      } catch (InterruptedException stop) {
        return -1;
      }
      if (rest.length == 0) throw new IllegalStateException("a defect");
      int given = Math.min(length, rest.length);
      System.arraycopy(rest, 0, into, offset, given);
      rest = Arrays.copyOfRange(rest, given, rest.length);
      return given;
    }

    @Override
    public void close() {
      give("");
    }
  }

  private Api.Watch watch(Parts parts) {
    var longest = Duration.ofMinutes(1);
    return WatchStream.begin(
        parts, told, new WatchStream.Terms(longest, longest, () -> {}, () -> {}));
  }

  private static String added(String name, int blanks) {
    return "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"%s\"}}%s}\n"
        .formatted(name, " ".repeat(blanks));
  }

  @Test
  void aLongLineIsFollowedByOthers() throws Exception {
    var parts = new Parts();
    try (var _ = watch(parts)) {
      parts.give(added("long", 100 * 1024));
      assertThat(told.next()).isEqualTo("added long");
      parts.give(added("short", 0));
      assertThat(told.next()).isEqualTo("added short");
      parts.give(added("long again", 200 * 1024));
      assertThat(told.next()).isEqualTo("added long again");
      assertThat(told.isQuiet()).isTrue();
    }
  }

  /// Where it broke is not known: all is listed again.
  @Test
  void aDefectEndsAWatchForGood() throws Exception {
    var parts = new Parts();
    try (var _ = watch(parts)) {
      parts.give("");
      assertThat(told.next()).isEqualTo("expired");
    }
  }
}
