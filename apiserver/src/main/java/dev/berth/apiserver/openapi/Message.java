package dev.berth.apiserver.openapi;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// A protobuf message that is being written. It has what our documents need of protobuf: fields
/// that are texts or messages.
final class Message {
  private static final int CONTINUED = 0x80;
  private static final int LENGTH_DELIMITED = 2;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /// Writes nothing if the text is empty.
  Message put(int field, String text) {
    return text.isEmpty() ? this : put(field, text.getBytes(StandardCharsets.UTF_8));
  }

  Message put(int field, Message message) {
    return put(field, message.bytes());
  }

  private Message put(int field, byte[] value) {
    varint(field << 3 | LENGTH_DELIMITED);
    varint(value.length);
    bytes.writeBytes(value);
    return this;
  }

  private void varint(int number) {
    int rest = number;
    while (rest >= CONTINUED) {
      bytes.write((rest & (CONTINUED - 1)) | CONTINUED);
      rest >>>= 7;
    }
    bytes.write(rest);
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }
}
