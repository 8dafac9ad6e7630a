package dev.berth.node.runtime.host;

import dev.berth.node.image.layer.LayerStack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/// Who is known in an image: its `/etc/passwd` and `/etc/group`. A line that is none says nothing.
///
/// @param users lines of the one
/// @param groups lines of the other
record Accounts(List<String> users, List<String> groups) {
  /// More than this of a file is not read.
  private static final int MOST = 1 << 20;

  /// One of the users.
  record Account(String name, int uid, int gid, String home) {}

  static Accounts in(LayerStack image) throws IOException {
    return new Accounts(lines(image, "etc/passwd"), lines(image, "etc/group"));
  }

  private static List<String> lines(LayerStack image, String path) throws IOException {
    var file = image.read(path);
    if (file.isEmpty()) return List.of();
    try (var content = file.get()) {
      return new String(content.readNBytes(MOST), StandardCharsets.UTF_8).lines().toList();
    }
  }

  Optional<Account> named(String name) {
    return find(account -> account.name().equals(name));
  }

  Optional<Account> numbered(int uid) {
    return find(account -> account.uid() == uid);
  }

  private Optional<Account> find(Predicate<Account> wanted) {
    return users.stream().flatMap(line -> account(line).stream()).filter(wanted).findFirst();
  }

  private static Optional<Account> account(String line) {
    var fields = line.split(":", -1);
    if (fields.length < 6) return Optional.empty();
    var uid = number(fields[2]);
    var gid = number(fields[3]);
    return uid.isPresent() && gid.isPresent()
        ? Optional.of(new Account(fields[0], uid.getAsInt(), gid.getAsInt(), fields[5]))
        : Optional.empty();
  }

  /// The number of a group.
  OptionalInt group(String name) {
    for (var line : groups) {
      var fields = line.split(":", -1);
      if (fields.length >= 3 && fields[0].equals(name) && number(fields[2]).isPresent())
        return number(fields[2]);
    }
    return OptionalInt.empty();
  }

  /// The groups that a user is in beside his own.
  List<Integer> groupsOf(String user) {
    var found = new ArrayList<Integer>();
    for (var line : groups) {
      var fields = line.split(":", -1);
      if (fields.length >= 4 && List.of(fields[3].split(",", -1)).contains(user))
        number(fields[2]).ifPresent(found::add);
    }
    return found;
  }

  /// Of a user or a group; empty: it is none.
  static OptionalInt number(String text) {
    if (!text.matches("[0-9]{1,10}")) return OptionalInt.empty();
    long number = Long.parseLong(text);
    return number <= Integer.MAX_VALUE ? OptionalInt.of((int) number) : OptionalInt.empty();
  }
}
