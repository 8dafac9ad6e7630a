package dev.berth.node.image;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A tar archive, also one that nobody sane would write.
public final class TestTar {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private int uid;
  private int gid;

  public TestTar ownedBy(int uid, int gid) {
    this.uid = uid;
    this.gid = gid;
    return this;
  }

  public TestTar folder(String name, int mode) {
    return header(name, '5', mode, 0, "");
  }

  public TestTar file(String name, int mode, String content) {
    return file(name, mode, content.getBytes(StandardCharsets.UTF_8));
  }

  public TestTar file(String name, int mode, byte[] content) {
    header(name, '0', mode, content.length, "");
    return padded(content);
  }

  public TestTar link(String name, String target) {
    return header(name, '2', 0777, 0, target);
  }

  public TestTar hardLink(String name, String target) {
    return header(name, '1', 0644, 0, target);
  }

  public TestTar device(String name) {
    return header(name, '3', 0666, 0, "");
  }

  /// An extended header for what comes next.
  public TestTar extended(String key, byte[] value) {
    var rest = new ByteArrayOutputStream();
    rest.writeBytes((" " + key + "=").getBytes(StandardCharsets.UTF_8));
    rest.writeBytes(value);
    rest.write('\n');
    int length = rest.size() + 1;
    while (String.valueOf(length).length() + rest.size() != length) length++;
    var record = new ByteArrayOutputStream();
    record.writeBytes(String.valueOf(length).getBytes(StandardCharsets.UTF_8));
    record.writeBytes(rest.toByteArray());
    header("pax", 'x', 0644, record.size(), "");
    return padded(record.toByteArray());
  }

  /// A header alone, whatever it claims.
  public TestTar header(String name, char type, int mode, long size, String target) {
    var block = new byte[512];
    put(block, 0, 100, name);
    put(block, 100, 8, "%07o".formatted(mode));
    put(block, 108, 8, "%07o".formatted(uid));
    put(block, 116, 8, "%07o".formatted(gid));
    put(block, 124, 12, "%011o".formatted(size));
    put(block, 136, 12, "%011o".formatted(1_000_000_000));
    Arrays.fill(block, 148, 156, (byte) ' ');
    block[156] = (byte) type;
    put(block, 157, 100, target);
    put(block, 257, 8, "ustar\00000");
    int sum = 0;
    for (byte each : block) sum += each & 0xff;
    put(block, 148, 7, "%06o".formatted(sum));
    out.writeBytes(block);
    return this;
  }

  private static void put(byte[] block, int at, int most, String text) {
    var bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(bytes, 0, block, at, Math.min(most, bytes.length));
  }

  private TestTar padded(byte[] content) {
    out.writeBytes(content);
    out.writeBytes(new byte[(512 - content.length % 512) % 512]);
    return this;
  }

  /// As it is so far, without an end.
  public byte[] begun() {
    return out.toByteArray();
  }

  public byte[] bytes() {
    var whole = new ByteArrayOutputStream();
    whole.writeBytes(out.toByteArray());
    whole.writeBytes(new byte[1024]);
    return whole.toByteArray();
  }
}
