package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.command.Berth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every berth command that a document shows is one that berth has. [FirstVoyageTest] runs the way
/// that they describe.
class DocumentsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final List<String> OF_THE_LAUNCHER = List.of("test", "format", "build");

  static Stream<String> commands() throws IOException {
    try (var files = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(
          Stream.of("README.md", "CONTRIBUTING.md").map(ROOT::resolve), files.toList().stream())
          .filter(file -> file.toString().endsWith(".md"))
          .flatMap(DocumentsTest::shown)
          .distinct()
          .toList()
          .stream();
    }
  }

  private static Stream<String> shown(Path file) {
    try {
      return Files.readAllLines(file).stream()
          .map(String::strip)
          .filter(line -> line.startsWith("$ ./berth "))
          .map(line -> line.substring("$ ./berth ".length()).replaceAll("\\s+(#|\\|\\|).*", ""));
    } catch (IOException unreadable) {
      throw new IllegalStateException("cannot read " + file, unreadable);
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aShownCommandIsUnderstood(String command) {
    var words = command.split(" ");
    if (OF_THE_LAUNCHER.contains(words[0])) return;
    assertThat(Berth.understands(words)).as(command).isTrue();
  }

  @Test
  void filesThatDocumentsNameExist() throws IOException {
    assertThat(commands().flatMap(command -> Stream.of(command.split(" "))))
        .filteredOn(word -> word.endsWith(".yaml"))
        .allSatisfy(file -> assertThat(ROOT.resolve(file)).exists());
  }
}
