package dev.berth.cli.flags;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What the help says of a flag is so: one that does something is read by somebody, and one that is
/// taken without effect is read by nobody.
class FlagsInUseTest {
  private static final Path SOURCES = Path.of("src/main/java");

  @Test
  void aFlagIsReadUnlessItIsWithoutEffect() throws IOException { // ONE-10
    var code = code();
    assertThat(Table.FLAGS.stream().filter(Flag::effect).map(Flag::name).distinct())
        .as("flags that nobody reads: mark them with ~ in flags.txt, or obey them")
        .allMatch(name -> code.contains('"' + name + '"'));
    assertThat(
            Table.FLAGS.stream()
                .filter(flag -> Table.FLAGS.stream().noneMatch(it -> same(it, flag) && it.effect()))
                .map(Flag::name)
                .distinct())
        .as("flags that are read, though they are marked as without effect")
        .noneMatch(name -> code.contains("(\"" + name + "\")"));
  }

  private static boolean same(Flag one, Flag other) {
    return one.name().equals(other.name());
  }

  private static String code() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(FlagsInUseTest::read)
          .collect(Collectors.joining("\n"));
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
