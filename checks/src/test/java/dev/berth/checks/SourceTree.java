package dev.berth.checks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The project's own source files, found from the folder that Maven runs the tests in.
final class SourceTree {
  private SourceTree() {}

  /// The folder with the parent `pom.xml`.
  static Path root() {
    var here = Path.of("").toAbsolutePath();
    while (!Files.exists(here.resolve("checks/pom.xml"))) {
      var parent = here.getParent();
      if (parent == null) throw new IllegalStateException("no checks/pom.xml above " + Path.of(""));
      here = parent;
    }
    return here;
  }

  /// Every Java file below a `src` folder; never what a build wrote.
  static List<Path> javaFiles() throws IOException {
    try (var files = Files.walk(root())) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> file.toString().contains("/src/"))
          .filter(file -> !file.toString().contains("/target/"))
          .sorted()
          .toList();
    }
  }
}
