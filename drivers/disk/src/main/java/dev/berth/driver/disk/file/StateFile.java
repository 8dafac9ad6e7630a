package dev.berth.driver.disk.file;

import dev.berth.driver.model.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32;

/// A small file of named values that is replaced as a whole: readers see the old or the new one.
///
///     berth volume 1
///     capacity=1073741824
///     #5c9e71a0
///
/// The last line is a checksum of what stands above.
public final class StateFile {
  /// What has to survive.
  public enum Survives {
    /// The end of this process. Enough where a restart of the machine ends the state too.
    PROCESS,
    /// Loss of power. The folder still has to be synced: see [FolderSync].
    POWER
  }

  /// The file is there and is not one of ours, or was damaged.
  public static final class DamagedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String why;

    public DamagedException(Path file, String why) {
      super(
          "%s is damaged: %s; nothing of the pool is used or removed until it is mended: bring it back from a copy; `berth disk fsck --pool %s` says what is lost"
              .formatted(file, why, file.getParent()));
      this.why = why;
    }

    public String why() {
      return why;
    }

    /// For a caller: to ask again does not help.
    public Refusal refusal() {
      return new Refusal(Refusal.Reason.WRONG_STATE, String.valueOf(getMessage()), this)
          .as("disk/pool-damaged");
    }
  }

  /// Replaces the file as a whole.
  ///
  /// @param kind what the file tells of, with the version of its form, such as `volume 1`
  public static void write(Path file, String kind, Map<String, String> values, Survives survives) {
    var text = new StringBuilder("berth ").append(kind).append('\n');
    new TreeMap<>(values)
        .forEach((key, value) ->
            text.append(key).append('=').append(Escape.escaped(value)).append('\n'));
    var checksum = checksum(text);
    text.append('#').append(checksum).append('\n');
    var fresh = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      try (var channel =
          FileChannel.open(
              fresh,
              Set.of(
                  StandardOpenOption.CREATE,
                  StandardOpenOption.TRUNCATE_EXISTING,
                  StandardOpenOption.WRITE),
              OwnerOnly.FILE)) {
        var bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) channel.write(bytes);
        if (survives == Survives.POWER) channel.force(true);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Folders.remove(fresh);
      throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  /// The values in a file; empty: there is no such file.
  public static Optional<Map<String, String>> read(Path file, String kind) {
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
    }
    return Optional.of(values(file, kind, text));
  }

  private static Map<String, String> values(Path file, String kind, String text) {
    var end = text.lastIndexOf('#');
    if (end < 0 || !text.substring(end + 1).strip().equals(checksum(text.substring(0, end))))
      throw new DamagedException(file, "its checksum does not fit");
    var values = new TreeMap<String, String>();
    var lines = text.substring(0, end).lines().toList();
    if (!lines.getFirst().equals("berth " + kind))
      throw new DamagedException(
          file, "it begins with '%s', not 'berth %s'".formatted(lines.getFirst(), kind));
    for (var line : lines.subList(1, lines.size())) {
      var equals = line.indexOf('=');
      values.put(line.substring(0, equals), Escape.unescaped(line.substring(equals + 1)));
    }
    return values;
  }

  private static String checksum(CharSequence text) {
    var crc = new CRC32();
    crc.update(text.toString().getBytes(StandardCharsets.UTF_8));
    return "%08x".formatted(crc.getValue());
  }

  private StateFile() {}
}
