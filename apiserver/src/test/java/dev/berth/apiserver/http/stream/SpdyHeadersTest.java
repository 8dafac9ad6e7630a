package dev.berth.apiserver.http.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.Adler32;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

class SpdyHeadersTest {
  /// As the head of every zlib stream of SPDY/3 has it.
  private static final long CHECKSUM = 0xe3c6a7c2L;

  private final Deflater deflater = new Deflater();

  private byte[] packed(ByteBuffer plain) {
    deflater.setInput(plain);
    var block = new byte[200_000];
    int count = deflater.deflate(block, 0, block.length, Deflater.SYNC_FLUSH);
    return Arrays.copyOf(block, count);
  }

  private static ByteBuffer plain(String... texts) {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(ByteBuffer.allocate(4).putInt(texts.length / 2).array());
    for (var text : texts) {
      bytes.writeBytes(ByteBuffer.allocate(4).putInt(text.length()).array());
      bytes.writeBytes(text.getBytes(UTF_8));
    }
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  @Test
  void theDictionaryIsTheOneThatClientsHave() {
    var sum = new Adler32();
    sum.update(SpdyHeaders.dictionary());
    assertThat(sum.getValue()).isEqualTo(CHECKSUM);
  }

  @Test
  void oneBlockAfterTheOtherIsUnpacked() throws Exception {
    deflater.setDictionary(SpdyHeaders.dictionary());
    try (var headers = new SpdyHeaders()) {
      assertThat(headers.unpack(packed(plain("StreamType", "error", "port", "80"))))
          .isEqualTo(Map.of("streamtype", "error", "port", "80"));
      assertThat(headers.unpack(packed(plain("StreamType", "data", "port", "80"))))
          .isEqualTo(Map.of("streamtype", "data", "port", "80"));
    }
  }

  @Test
  void whatIsNoneIsRefused() {
    deflater.setDictionary(SpdyHeaders.dictionary());
    try (var headers = new SpdyHeaders()) {
      assertThatThrownBy(() -> headers.unpack(new byte[] {1, 2, 3, 4}))
          .isInstanceOf(IOException.class);
    }
    try (var headers = new SpdyHeaders()) {
      var cut = ByteBuffer.allocate(12).putInt(1).putInt(1_000_000).putInt(7).flip();
      assertThatThrownBy(() -> headers.unpack(packed(cut))).isInstanceOf(IOException.class);
    }
  }

  @Test
  void muchIsNotUnpacked() {
    deflater.setDictionary(SpdyHeaders.dictionary());
    try (var headers = new SpdyHeaders()) {
      var much = ByteBuffer.allocate(10_000_000);
      assertThatThrownBy(() -> headers.unpack(packed(much)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("more than");
    }
  }
}
