package dev.berth.linux.mount;

import dev.berth.linux.file.DeviceNumber;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is mounted where, at one moment, in the order in which it was mounted.
public record MountTable(List<MountEntry> entries) {
  private static final Logger log = LoggerFactory.getLogger(MountTable.class);

  /// Whether a line that cannot be read was told of.
  private static final AtomicBoolean told = new AtomicBoolean();

  public MountTable {
    entries = List.copyOf(entries);
  }

  /// Reads what this thread sees, which on a thread in a name space of its own is that name space.
  static MountTable read() {
    var text = mountinfo();
    var before = latest;
    if (Arrays.equals(before.text, text)) return before.table;
    var table = parse(text);
    latest = new Read(text, table);
    return table;
  }

  /// Who looks again and again sees the same most of the time.
  private static volatile Read latest = new Read(new byte[0], new MountTable(List.of()));

  /// A text and what it says.
  private static final class Read {
    private final byte[] text;
    private final MountTable table;

    private Read(byte[] text, MountTable table) {
      this.text = text;
      this.table = table;
    }
  }

  /// One line of what this thread sees; empty: there is no such mount.
  ///
  /// @param id of the mount
  static Optional<MountEntry> entry(long id) {
    var text = "\n" + new String(mountinfo(), StandardCharsets.ISO_8859_1);
    int before = text.indexOf("\n" + id + " ");
    if (before < 0) return Optional.empty();
    return entry(text.substring(before + 1, text.indexOf('\n', before + 1)));
  }

  private static byte[] mountinfo() {
    try {
      return Files.readAllBytes(Path.of("/proc/thread-self/mountinfo"));
    } catch (IOException broken) {
      throw new UncheckedIOException("read the mounts of this process", broken);
    }
  }

  /// Reads the kernel's text. A line ends at a line feed and nowhere else: a carriage return in the
  /// name of a folder, which may be a pod's, stands there as it is. A line that cannot be read is
  /// left out.
  ///
  /// @param mountinfo as proc(5) describes it
  public static MountTable parse(byte[] mountinfo) {
    var text = new String(mountinfo, StandardCharsets.ISO_8859_1);
    return new MountTable(
        Stream.of(text.split("\n", -1)).flatMap(it -> entry(it).stream()).toList());
  }

  /// What is mounted at `target`: of several on top of one another the last.
  public Optional<MountEntry> at(Path target) {
    return entries.reversed().stream().filter(e -> e.target().equals(target)).findFirst();
  }

  /// The mount that `path` is on.
  public Optional<MountEntry> covering(Path path) {
    return entries.stream()
        .filter(e -> path.startsWith(e.target()))
        .reduce((a, b) -> b.target().getNameCount() >= a.target().getNameCount() ? b : a);
  }

  /// Everything mounted at `directory` or below, deepest and latest first: in the order in which it
  /// can be unmounted.
  public List<MountEntry> under(Path directory) {
    return entries.reversed().stream().filter(e -> e.target().startsWith(directory)).toList();
  }

  /// All mounts of the file system on `device`, of whatever part of it.
  public List<MountEntry> of(DeviceNumber device) {
    return entries.stream().filter(e -> e.device().equals(device)).toList();
  }

  /// Where else the file system mounted at `target` is mounted: who would still use it.
  public List<MountEntry> references(Path target) {
    return at(target).stream()
        .flatMap(it -> of(it.device()).stream().filter(e -> e.id() != it.id()))
        .toList();
  }

  /// The mounts elsewhere that show what is at `path`: its binds, whatever mounted them.
  public List<MountEntry> bindsOf(Path path) {
    return covering(path).stream()
        .flatMap(it -> {
          var root = beneath(it.root(), it.target().relativize(path).toString());
          return of(it.device()).stream().filter(e -> e.root().equals(root));
        })
        .filter(e -> !e.target().equals(path))
        .toList();
  }

  private static String beneath(String root, String path) {
    if (path.isEmpty()) return root;
    return root.endsWith("/") ? root + path : root + "/" + path;
  }

  private static Optional<MountEntry> entry(String line) {
    if (line.isEmpty()) return Optional.empty();
    try {
      return Optional.of(read(line));
    } catch (IllegalArgumentException | IndexOutOfBoundsException _) {
      if (told.compareAndSet(false, true))
        log.warn("a mount is left out: its line in mountinfo cannot be read: {}", line);
      return Optional.empty();
    }
  }

  private static MountEntry read(String line) {
    var words = line.split(" ");
    int dash = 6;
    while (!words[dash].equals("-")) dash++;
    return new MountEntry(
        Integer.parseInt(words[0]),
        Integer.parseInt(words[1]),
        DeviceNumber.parse(words[2]),
        decoded(words[3]),
        target(words[4]),
        List.of(words[5].split(",")),
        List.of(words).subList(6, dash),
        words[dash + 1],
        decoded(words[dash + 2]),
        words.length > dash + 3 ? List.of(decoded(words[dash + 3]).split(",")) : List.of());
  }

  /// Without a locale a JVM has no path for a name beyond ASCII. Such a mount counts all the same,
  /// as who looks for those of a device must not miss it; its name is written like the kernel's
  /// escapes then, which nobody calls a path.
  private static Path target(String word) {
    try {
      return Path.of(decoded(word));
    } catch (InvalidPathException _) {
      var escaped = new StringBuilder(word.length());
      for (char each : word.toCharArray())
        if (each > 0 && each < 128) escaped.append(each);
        else escaped.append("\\%03o".formatted((int) each));
      return Path.of(escaped.toString());
    }
  }

  /// Takes back the kernel's escapes: blank, tab, line feed and backslash are written as `\040`.
  private static String decoded(String word) {
    var bytes = new ByteArrayOutputStream(word.length());
    for (int i = 0; i < word.length(); i++) {
      if (word.charAt(i) == '\\' && i + 3 < word.length()) {
        bytes.write(Integer.parseInt(word.substring(i + 1, i + 4), 8));
        i += 3;
      } else {
        bytes.write(word.charAt(i));
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
