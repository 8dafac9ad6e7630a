package dev.berth.conform.subject;

import com.google.protobuf.ProtocolMessageEnum;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// What the protocol says of its own parts: sizes, and which values it defines.
final class Wire {
  static final int LONGEST_TEXT = 128;
  static final int LARGEST_MAP = 4096;

  /// Whether a value is one that the protocol defines, and not its UNKNOWN.
  static boolean isKnown(ProtocolMessageEnum value) {
    return !value.toString().equals("UNRECOGNIZED") && value.getNumber() != 0;
  }

  static boolean fits(String text) {
    return bytes(text) <= LONGEST_TEXT;
  }

  static boolean fits(Map<String, String> map) {
    return map.entrySet().stream().mapToInt(it -> bytes(it.getKey()) + bytes(it.getValue())).sum()
        <= LARGEST_MAP;
  }

  static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private Wire() {}
}
