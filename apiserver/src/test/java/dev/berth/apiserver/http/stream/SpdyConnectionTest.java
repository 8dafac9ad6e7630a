package dev.berth.apiserver.http.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.apiserver.http.stream.SpdyConnection.Message;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/// Frames as they come in and go out (SPDY/3.1, section 2.2).
class SpdyConnectionTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private SpdyConnection reading(byte... bytes) {
    return new SpdyConnection(new ByteArrayInputStream(bytes), out);
  }

  @Test
  void whatIsNoSpdyIsRefused() {
    assertThatThrownBy(() -> reading("GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8)).next())
        .isInstanceOf(IOException.class);
    byte[] shortOpening = {(byte) 0x80, 3, 0, 1, 1, 0, 0, 2, 0, 0};
    assertThatThrownBy(() -> reading(shortOpening).next())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("SYN_STREAM");
    byte[] otherVersion = {(byte) 0x80, 9, 0, 1, 0, 0, 0, 0};
    assertThatThrownBy(() -> reading(otherVersion).next())
        .isInstanceOf(IOException.class)
        .hasMessage("not SPDY/3");
  }

  @Test
  void anEndIsTheEnd() throws Exception {
    assertThat(reading().next()).isEmpty();
    byte[] farewell = {(byte) 0x80, 3, 0, 7, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0};
    assertThat(reading(farewell).next()).isEmpty();
  }

  @Test
  void dataComesWithItsStreamAndItsEnd() throws Exception {
    byte[] frame = {0, 0, 0, 5, 1, 0, 0, 2, 'h', 'i'};
    assertThat(reading(frame).next().orElseThrow())
        .isInstanceOfSatisfying(
            Message.Data.class,
            data -> {
              assertThat(data.stream()).isEqualTo(5);
              assertThat(data.bytes()).containsExactly('h', 'i');
              assertThat(data.last()).isTrue();
            });
  }

  @Test
  void aPingIsAnswered() throws Exception {
    byte[] ping = {(byte) 0x80, 3, 0, 6, 0, 0, 0, 4, 0, 0, 0, 9};
    assertThat(reading(ping).next()).isEmpty();
    assertThat(out.toByteArray()).isEqualTo(ping);
  }

  @Test
  void muchDataGoesInSeveralFramesAndTheLastOneSaysSo() throws Exception {
    reading().data(3, new byte[40_000], 40_000, true);
    var frames = ByteBuffer.wrap(out.toByteArray());
    int total = 0;
    for (boolean last = false; !last; ) {
      assertThat(frames.getInt()).isEqualTo(3);
      int word = frames.getInt();
      last = word >>> 24 == 1;
      int length = word & 0xffffff;
      total += length;
      frames.position(frames.position() + length);
    }
    assertThat(frames.hasRemaining()).isFalse();
    assertThat(total).isEqualTo(40_000);
  }
}
