package dev.berth.apiserver.store;

import dev.berth.apiserver.core.state.Stored;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/// By which a row is known to be what was stored: SQLite finds pages that are no pages, not texts
/// in which a disk has changed a letter (STORE-02).
final class Checksum {
  private final CRC32C crc = new CRC32C();
  private final ByteBuffer numbers = ByteBuffer.allocate(2 * Long.BYTES);

  /// Of all that is stored of an object.
  long of(String kind, Stored object) {
    crc.reset();
    numbers.clear().putLong(object.created()).putLong(object.revision());
    crc.update(numbers.array());
    text(kind);
    text(object.key().namespace());
    text(object.key().name());
    crc.update(object.json());
    return crc.getValue();
  }

  private void text(String text) {
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    crc.update(0);
  }
}
