package dev.berth.apiserver.proto;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Bytes of messages that are being written. The length of a message stands before it and is known
/// after it: one byte is kept free for it, and what is longer is moved on.
final class Output {
  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int DELIMITED = 2;

  private static final int CONTINUED = 0x80;

  private byte[] bytes = new byte[1024];
  private int size;

  void raw(byte[] more) {
    room(more.length);
    System.arraycopy(more, 0, bytes, size, more.length);
    size += more.length;
  }

  void varint(long number) {
    room(10);
    long rest = number;
    while ((rest & -CONTINUED) != 0) {
      bytes[size++] = (byte) (rest & (CONTINUED - 1) | CONTINUED);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  void tag(int number, int type) {
    varint((long) number << 3 | type);
  }

  void number(int field, long value) {
    tag(field, VARINT);
    varint(value);
  }

  void fixed64(int field, long bits) {
    tag(field, FIXED64);
    room(Long.BYTES);
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE)
      bytes[size++] = (byte) (bits >>> shift);
  }

  void text(int field, String text) {
    bytes(field, text.getBytes(StandardCharsets.UTF_8));
  }

  void bytes(int field, byte[] value) {
    tag(field, DELIMITED);
    varint(value.length);
    raw(value);
  }

  /// Begins a message that stands in a field.
  ///
  /// @return to be handed to [#end]
  int begin(int field) {
    tag(field, DELIMITED);
    room(1);
    return ++size;
  }

  void end(int begin) {
    int length = size - begin;
    int extra = lengthOf(length) - 1;
    if (extra > 0) {
      room(extra);
      System.arraycopy(bytes, begin, bytes, begin + extra, length);
    }
    int end = size + extra;
    size = begin - 1;
    varint(length);
    size = end;
  }

  /// Takes back a message that stands in a field, with its begin.
  void forget(int begin, int field) {
    size = begin - 1 - lengthOf(field << 3);
  }

  /// Of a number as a varint, in bytes.
  static int lengthOf(int number) {
    return number == 0 ? 1 : (Integer.SIZE - Integer.numberOfLeadingZeros(number) + 6) / 7;
  }

  int size() {
    return size;
  }

  /// Forgets all that was written.
  void clear() {
    size = 0;
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, size);
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  private void room(int more) {
    if (bytes.length - size < more)
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), size * 2));
  }
}
