package dev.berth.node.image.archive;

import dev.berth.node.image.archive.TarEntry.Kind;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// A tar file, whose files are read where they stand in it.
final class TarArchive implements Archive {
  /// More files than any image has layers.
  private static final int MOST_FILES = 10_000;

  /// More bytes than all their names and what links say have.
  private static final int MOST_TEXT = 4 << 20;

  private final FileChannel file;
  private final Map<String, TarEntry> entries;

  private TarArchive(FileChannel file, Map<String, TarEntry> entries) {
    this.file = file;
    this.entries = entries;
  }

  /// @param decompressed where it is kept if it is compressed; not there yet
  static TarArchive open(Path packed, Path decompressed, Room room) throws IOException {
    Path plain = packed;
    if (isPacked(packed)) {
      try (var content = Unpacked.of(Files.newInputStream(packed), packed.toString(), room);
          var out = Files.newOutputStream(decompressed, StandardOpenOption.CREATE_NEW)) {
        content.transferTo(out);
      }
      plain = decompressed;
    }
    var file = FileChannel.open(plain, StandardOpenOption.READ);
    try {
      return new TarArchive(file, entries(file, packed.toString()));
    } catch (IOException | RuntimeException broken) {
      file.close();
      throw broken;
    }
  }

  /// Also what is not read here, which says so then.
  private static boolean isPacked(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      var magic = in.readNBytes(4);
      return Unpacked.isGzip(magic) || (magic.length > 0 && (magic[0] & 0xff) == 0x28);
    }
  }

  private static Map<String, TarEntry> entries(FileChannel file, String name) throws IOException {
    var entries = new HashMap<String, TarEntry>();
    var reader = new TarReader(new Part(file, 0, file.size()), name);
    int text = 0;
    for (var entry = reader.next(); entry.isPresent(); entry = reader.next()) {
      if (entry.get().offset() + entry.get().size() > file.size()
          || entry.get().offset() + entry.get().size() < 0)
        throw new BrokenImageException(name + " ends in the middle");
      entries.put(plain(entry.get().name()), entry.get());
      text += entry.get().name().length() + entry.get().target().length();
      if (entries.size() > MOST_FILES || text > MOST_TEXT)
        throw new BrokenImageException(
            "%s holds more than %d files, or names of more than %d MiB: it is no image"
                .formatted(name, MOST_FILES, MOST_TEXT >> 20));
    }
    return entries;
  }

  private static String plain(String name) {
    return name.startsWith("./") ? name.substring(2) : name;
  }

  /// Docker writes a layer that is there twice as a link, to another one beside it.
  @Override
  public Optional<InputStream> find(String name) throws IOException {
    var entry = Optional.ofNullable(entries.get(name));
    for (int links = 0; links < 4 && entry.isPresent(); links++) {
      var found = entry.get();
      switch (found.kind()) {
        case FILE -> {
          return Optional.of(
              new BufferedInputStream(new Part(file, found.offset(), found.size()), 64 * 1024));
        }
        case LINK, HARD_LINK ->
            entry =
                Optional.ofNullable(
                    entries.get(target(found.kind() == Kind.LINK ? name : "", found.target())));
        case DEVICE, FOLDER, PIPE ->
            throw new BrokenImageException("%s in the image is no file".formatted(name));
      }
    }
    return Optional.empty();
  }

  /// Where a link leads, as a name of this archive; outside of it there is nothing.
  private static String target(String link, String target) {
    var parts = new ArrayDeque<String>();
    for (var part : (link + "/../" + target).split("/", -1))
      switch (part) {
        case "", "." -> {}
        case ".." -> parts.pollLast();
        case String name -> parts.add(name);
      }
    return String.join("/", parts);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /// A stretch of the file.
  private static final class Part extends InputStream {
    private final FileChannel file;
    private long at;
    private final long end;

    Part(FileChannel file, long offset, long size) {
      this.file = file;
      this.at = offset;
      this.end = offset + size;
    }

    @Override
    public int read() throws IOException {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (length == 0) return 0;
      if (at >= end) return -1;
      int wanted = (int) Math.min(length, end - at);
      int read = file.read(ByteBuffer.wrap(bytes, offset, wanted), at);
      if (read > 0) at += read;
      return read;
    }

    @Override
    public long skip(long bytes) {
      long skipped = Math.clamp(bytes, 0, end - at);
      at += skipped;
      return skipped;
    }
  }
}
