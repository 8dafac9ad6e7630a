package dev.berth.driver.baremetal.manager.base;

import dev.berth.driver.baremetal.object.DriveType;
import dev.berth.kube.value.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Which disks are meant (BM-59), as `type=SSD,size>=1Ti,pid=Samsung*`: all that it says must hold
/// of a disk. Words are compared in any letter case, and `*` stands for anything.
///
/// @param text as it was written
record DiskRule(String text, List<Condition> conditions) {
  private static final Pattern FORM = Pattern.compile("(type|serial|vid|pid|size)(=|>=|<=)(.+)");

  private static final Pattern NAME = Pattern.compile("(^|,)\\s*(serial|vid|pid)=");

  DiskRule {
    conditions = List.copyOf(conditions);
  }

  /// One thing that must hold.
  interface Condition {
    boolean holds(SysfsDisk disk);
  }

  /// @throws IllegalArgumentException if it is not so written
  static DiskRule parse(String text) {
    var conditions = new ArrayList<Condition>();
    for (var word : text.split(",", -1)) conditions.add(condition(word.strip()));
    return new DiskRule(text, conditions);
  }

  private static Condition condition(String word) {
    var form = FORM.matcher(word);
    if (!form.matches() || form.group(1).equals("size") == form.group(2).equals("="))
      throw new IllegalArgumentException(
          "\"%s\" is no rule for disks: use type=, serial=, vid=, pid=, size>= or size<=, with commas between"
              .formatted(word));
    var value = form.group(3).strip();
    return switch (form.group(1)) {
      case "type" -> {
        var like = like(value);
        if (Stream.of(DriveType.values()).noneMatch(it -> like.matcher(it.name()).matches()))
          throw new IllegalArgumentException(
              "\"%s\" fits no type of disk: they are %s"
                  .formatted(word, List.of(DriveType.values())));
        yield disk -> like.matcher(disk.type().name()).matches();
      }
      case "serial" -> among(value, Word.SERIAL);
      case "vid" -> among(value, Word.VID);
      case "pid" -> among(value, Word.PID);
      case String _ -> size(form.group(2), Quantity.parse(value).toLong());
    };
  }

  private static Condition size(String sign, long bytes) {
    return sign.equals(">=") ? disk -> disk.size() >= bytes : disk -> disk.size() <= bytes;
  }

  /// What the layers of a system say of a disk: any of them will do.
  private enum Word {
    SERIAL,
    VID,
    PID;

    Set<String> of(SysfsDisk disk) {
      return switch (this) {
        case SERIAL -> disk.names().serials();
        case VID -> disk.names().vids();
        case PID -> disk.names().pids();
      };
    }
  }

  private static Condition among(String value, Word which) {
    var like = like(value);
    return disk -> which.of(disk).stream().anyMatch(it -> like.matcher(it).matches());
  }

  private static Pattern like(String text) {
    return Pattern.compile(
        List.of(text.toUpperCase(Locale.ROOT).split("\\*", -1)).stream()
            .map(Pattern::quote)
            .collect(Collectors.joining(".*")));
  }

  /// Whether it depends on what a disk is called.
  boolean isOfNames() {
    return NAME.matcher(text).find();
  }

  boolean holds(SysfsDisk disk) {
    return conditions.stream().allMatch(it -> it.holds(disk));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DiskRule rule && rule.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }
}
