package dev.berth.apiserver.http.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.apiserver.http.stream.SpdyConnection.Message;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
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

  /// A head alone takes no memory, whatever it promises (API-145).
  @Test
  void whatIsPromisedTakesNoRoomBeforeItComes() throws Exception {
    byte[] endless = {(byte) 0x80, 3, 0, 6, 0, (byte) 0xff, (byte) 0xff, (byte) 0xff};
    assertThatThrownBy(() -> reading(endless).next())
        .isInstanceOf(IOException.class)
        .hasMessage("a control frame of 16777215 bytes");
    var frame = ByteBuffer.allocate(8 + 40_000).putInt(7).putInt(1 << 24 | 40_000);
    frame.put(8 + 39_999, (byte) 'x');
    var connection = reading(frame.array());
    var lengths = new ArrayList<Integer>();
    for (var next = connection.next(); next.isPresent(); next = connection.next()) {
      var data = (Message.Data) next.get();
      lengths.add(data.bytes().length);
      assertThat(data.stream()).isEqualTo(7);
      boolean last = lengths.stream().mapToInt(each -> each).sum() == 40_000;
      assertThat(data.last()).isEqualTo(last);
      if (last) assertThat(data.bytes()).endsWith('x');
    }
    assertThat(lengths).containsExactly(16_384, 16_384, 7_232);
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
