package dev.berth.linux.mount;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Options of a mount, as people write them: `noatime`, `ro`, `errors=remount-ro`.
///
/// @param flags what the kernel keeps itself
/// @param ofFileSystem what the file system's own driver reads, in order
public record MountOptions(Set<MountFlag> flags, List<String> ofFileSystem) {
  public static final MountOptions NONE = new MountOptions(Set.of(), List.of());
  public static final MountOptions READ_ONLY = of(MountFlag.RO);

  /// Words that mean "without that flag", and the flag.
  private static final Map<String, MountFlag> ABSENCES =
      Map.of(
          "rw", MountFlag.RO,
          "suid", MountFlag.NOSUID,
          "dev", MountFlag.NODEV,
          "exec", MountFlag.NOEXEC,
          "atime", MountFlag.NOATIME,
          "diratime", MountFlag.NODIRATIME,
          "symfollow", MountFlag.NOSYMFOLLOW,
          "async", MountFlag.SYNC,
          "nolazytime", MountFlag.LAZYTIME);

  /// Words for mount(8) and fstab that the kernel does not know.
  private static final Set<String> OF_FSTAB =
      Set.of("defaults", "auto", "noauto", "_netdev", "nofail", "user", "nouser", "users");

  public MountOptions {
    flags = Set.copyOf(flags);
    ofFileSystem = List.copyOf(ofFileSystem);
  }

  public static MountOptions of(MountFlag... flags) {
    return new MountOptions(Set.of(flags), List.of());
  }

  /// Reads words such as CSI's mount flags; each may hold several, separated by commas. A later
  /// word takes back an earlier one (`ro,rw`).
  public static MountOptions parse(Collection<String> words) {
    var flags = EnumSet.noneOf(MountFlag.class);
    var rest = new ArrayList<String>();
    for (var word : single(words)) {
      var flag = MountFlag.named(word);
      var absent = ABSENCES.get(word);
      if (flag.isPresent()) add(flags, flag.get());
      else if (absent != null) flags.remove(absent);
      else if (!word.isBlank() && !OF_FSTAB.contains(word) && !word.startsWith("x-"))
        rest.add(word);
    }
    return new MountOptions(flags, rest);
  }

  /// Whether two words cannot both be meant (`ro,rw`), for those who do not let the later one win.
  public static boolean isContradiction(Collection<String> words) {
    var single = single(words);
    return single.stream()
        .anyMatch(word -> single.stream().anyMatch(other -> excludes(word, other)));
  }

  private static boolean excludes(String word, String other) {
    if (word.equals(other)) return false;
    var flag = MountFlag.named(word);
    var othersFlag = MountFlag.named(other);
    var bothOfAccessTime =
        flag.filter(MountFlag::isAccessTime).isPresent()
            && othersFlag.filter(MountFlag::isAccessTime).isPresent();
    return bothOfAccessTime || (flag.isPresent() && flag.get() == ABSENCES.get(other));
  }

  private static List<String> single(Collection<String> words) {
    return words.stream().flatMap(word -> Arrays.stream(word.split(","))).toList();
  }

  public MountOptions with(MountFlag flag) {
    var more = flags.isEmpty() ? EnumSet.noneOf(MountFlag.class) : EnumSet.copyOf(flags);
    add(more, flag);
    return new MountOptions(more, ofFileSystem);
  }

  public MountOptions with(String ofFileSystemToo) {
    var more = new ArrayList<>(ofFileSystem);
    more.add(ofFileSystemToo);
    return new MountOptions(flags, more);
  }

  public boolean has(MountFlag flag) {
    return flags.contains(flag);
  }

  /// The flags without the file system's options.
  public MountOptions flagsOnly() {
    return new MountOptions(flags, List.of());
  }

  long mountBits() {
    return flags.stream().mapToLong(MountFlag::mountBit).reduce(0, (a, b) -> a | b);
  }

  String data() {
    return String.join(",", ofFileSystem);
  }

  @Override
  public String toString() {
    var words = flags.stream().sorted().map(MountFlag::word).collect(Collectors.toList());
    words.addAll(ofFileSystem);
    return String.join(",", words);
  }

  private static void add(EnumSet<MountFlag> flags, MountFlag flag) {
    if (flag.isAccessTime()) flags.removeIf(MountFlag::isAccessTime);
    flags.add(flag);
  }
}
