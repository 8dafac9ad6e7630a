package dev.berth.linux.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One process of this machine, told apart from every other that has had or will have its number.
///
/// @param pid its number
/// @param startTicks when it started, in clock ticks since boot
/// @param bootId which boot that was
public record ProcessIdentity(int pid, long startTicks, String bootId) {
  private static final int STATE = 0;
  private static final int PARENT = 1;
  private static final int START = 19;

  /// The process that has this number now; empty: none, or only its remains.
  public static Optional<ProcessIdentity> of(int pid) {
    return stat(pid)
        .filter(words -> isAlive(words.get(STATE)))
        .map(words -> new ProcessIdentity(pid, Long.parseLong(words.get(START)), Boot.id()));
  }

  /// Reads what [#toString] writes; empty: the text is not whole.
  public static Optional<ProcessIdentity> parse(String text) {
    var words = text.strip().split(" ", -1);
    if (words.length != 3 || !text.endsWith("\n")) return Optional.empty();
    try {
      return Optional.of(
          new ProcessIdentity(Integer.parseInt(words[0]), Long.parseLong(words[1]), words[2]));
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  /// Whether this very process still runs. One that has ended and waits for its parent does not.
  public boolean isAlive() {
    return of(pid).filter(this::equals).isPresent();
  }

  /// Its children; those of one thread oldest first, those it inherited last.
  public List<ProcessIdentity> children() {
    try (var threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
      var children = new ArrayList<ProcessIdentity>();
      for (var thread : threads)
        for (var child : Files.readString(thread.resolve("children")).split(" ", -1))
          if (!child.isEmpty()) of(Integer.parseInt(child)).ifPresent(children::add);
      children.removeIf(child -> !child.isChildOf(this));
      return List.copyOf(children);
    } catch (IOException _) {
      return List.of(); // it has ended
    }
  }

  /// One line, to be kept in a file: `1234 567890 8f0c…`.
  @Override
  public String toString() {
    return pid + " " + startTicks + " " + bootId;
  }

  private boolean isChildOf(ProcessIdentity parent) {
    return stat(pid).filter(it -> it.get(PARENT).equals(String.valueOf(parent.pid))).isPresent();
  }

  /// The words of `/proc/<pid>/stat` after the name, which may itself hold blanks and brackets.
  private static Optional<List<String>> stat(int pid) {
    try {
      var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return Optional.of(List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)));
    } catch (NoSuchFileException _) {
      return Optional.empty(); // there is none
    } catch (IOException broken) {
      if (String.valueOf(broken.getMessage()).contains("No such process")) return Optional.empty();
      throw new UncheckedIOException("read the state of process " + pid, broken); // it may live
    }
  }

  private static boolean isAlive(String state) {
    return !state.equals("Z") && !state.equals("X");
  }
}
