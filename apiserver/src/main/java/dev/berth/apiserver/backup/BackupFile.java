package dev.berth.apiserver.backup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.HeldJson;
import dev.berth.kube.value.Json;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/// Reads a backup, and believes nothing of it before its last line.
public record BackupFile(Path path) {
  /// No object is larger than a request, and no head than this.
  private static final int LONGEST_LINE = 8 << 20;

  /// Further no server gets, and a restored one goes on from beyond.
  private static final long LATEST = Long.MAX_VALUE / 4;

  /// Bytes at the end of a packed file.
  private static final int TRAILER = 8;

  private static final ObjectReader JSON = HeldJson.mapper().build().reader();

  /// What a backup says of itself.
  ///
  /// @param revision of the last write before it was taken
  /// @param objects how many there are
  public record Summary(long revision, Instant taken, long objects) {}

  /// Takes one object after the other, in the order of the file.
  interface Visitor {
    /// @param kind as the store names it, such as `storageclasses.storage.k8s.io`
    void visit(String kind, Stored object) throws IOException, BackupException;
  }

  /// Reads the whole file.
  ///
  /// @throws BackupException if it is not a whole backup
  public Summary check() throws BackupException {
    return read((_, _) -> {});
  }

  /// Hands out every object. What was handed out is known to be right only afterwards.
  Summary read(Visitor visitor) throws BackupException {
    try (var lines = new Lines(new GZIPInputStream(Files.newInputStream(path), 1 << 16))) {
      return read(lines, visitor);
    } catch (NoSuchFileException missing) {
      throw new BackupException(path + ": there is no such file", missing);
    } catch (EOFException cutOff) {
      throw new BackupException(
          path + " is cut off: its end is missing; take another copy of it", cutOff);
    } catch (ZipException noBackup) {
      throw damagedOrForeign(noBackup);
    } catch (IOException e) {
      throw new BackupException("cannot read " + path + ": " + e.getMessage(), e);
    }
  }

  private BackupException damagedOrForeign(ZipException e) {
    return "Not in GZIP format".equals(e.getMessage())
        ? foreign()
        : damaged(String.valueOf(e.getMessage()));
  }

  private Summary read(Lines lines, Visitor visitor) throws IOException, BackupException {
    var summary = head(lines);
    for (long i = 0; i < summary.objects(); i++) object(lines.next(), summary, visitor);
    var expected = HexFormat.of().formatHex(lines.digest());
    if (!Json.text(tree(lines.next()), "sha256").equals(expected))
      throw damaged("its checksum is not that of what it holds");
    if (!lines.end() || !Arrays.equals(lines.trailer(), trailer()))
      throw damaged("there is more behind its end");
    return summary;
  }

  /// What the packing ends with. Behind it [GZIPInputStream] passes over what it cannot read.
  private byte[] trailer() throws IOException {
    try (var file = FileChannel.open(path)) {
      var last = ByteBuffer.allocate(TRAILER);
      file.read(last, Math.max(0, file.size() - TRAILER));
      return last.array();
    }
  }

  private Summary head(Lines lines) throws IOException, BackupException {
    JsonNode head;
    try {
      head = JSON.readTree(lines.next());
    } catch (JsonProcessingException noHead) {
      throw foreign();
    }
    if (!Json.text(head, "berth").equals(Backup.KIND)) throw foreign();
    if (head.path("format").asInt() > Backup.FORMAT)
      throw new BackupException(
          "%s was written by a newer Berth (format %d, this one knows %d); restore it with that one"
              .formatted(path, head.path("format").asInt(), Backup.FORMAT));
    long revision = head.path("revision").asLong(-1);
    if (revision < 0 || revision > LATEST) throw damaged("its head cannot be read");
    try {
      var taken = Instant.parse(Json.text(head, "taken"));
      return new Summary(revision, taken, head.path("objects").asLong());
    } catch (DateTimeException unreadable) {
      throw damaged("its head cannot be read");
    }
  }

  private void object(byte[] line, Summary summary, Visitor visitor)
      throws IOException, BackupException {
    int tab = 0;
    while (tab < line.length && line[tab] != '\t') tab++;
    if (tab == line.length) throw damaged("a line is no object");
    var entry = tree(Arrays.copyOf(line, tab));
    var key = ObjectKey.of(Json.text(entry, "namespace"), Json.text(entry, "name"));
    long revision = entry.path("revision").asLong();
    if (revision > summary.revision()) throw damaged(key + " is newer than the backup");
    var json = Arrays.copyOfRange(line, tab + 1, line.length);
    visitor.visit(
        Json.text(entry, "kind"),
        Stored.ofJson(key, entry.path("created").asLong(), revision, json));
  }

  private JsonNode tree(byte[] text) throws IOException, BackupException {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException noJson) {
      throw damaged("a line cannot be read");
    }
  }

  private BackupException foreign() {
    return new BackupException(path + " is no backup of Berth's; name a file of `berth backup`");
  }

  private BackupException damaged(String finding) {
    return new BackupException(
        "%s is damaged: %s; take another copy of it, or an earlier backup"
            .formatted(path, finding));
  }

  /// The lines of a backup, and the digest of those that were read.
  private static final class Lines implements AutoCloseable {
    private final InputStream in;
    private final MessageDigest digest = Digests.sha256();
    private final byte[] buffer = new byte[1 << 16];
    private final CRC32 unpacked = new CRC32();
    private long length;
    private int at;
    private int end;

    Lines(InputStream in) {
      this.in = in;
    }

    /// Without its end.
    byte[] next() throws IOException {
      var line = new ByteArrayOutputStream();
      while (true) {
        if (at == end) fill();
        int from = at;
        while (at < end && buffer[at] != '\n') at++;
        digest.update(buffer, from, Math.min(at + 1, end) - from);
        line.write(buffer, from, at - from);
        if (line.size() > LONGEST_LINE) throw new IOException("a line is too long");
        if (at < end) {
          at++;
          return line.toByteArray();
        }
      }
    }

    private void fill() throws IOException {
      at = 0;
      end = Math.max(0, in.read(buffer));
      if (end == 0) throw new EOFException();
      unpacked.update(buffer, 0, end);
      length += end;
    }

    /// What the packing of all that was read ends with (RFC 1952): checksum and length.
    byte[] trailer() {
      return ByteBuffer.allocate(TRAILER)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putInt((int) unpacked.getValue())
          .putInt((int) length)
          .array();
    }

    /// Whether nothing comes any more. Reads on to the checksum of the packing, too.
    boolean end() throws IOException {
      return at == end && in.read() < 0;
    }

    byte[] digest() {
      return digest.digest();
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
