package dev.berth.checks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// The project's own source files, found from the folder that Maven runs the tests in.
final class SourceTree {
  /// Folders that a build or Git wrote.
  private static final Set<String> NOT_OURS = Set.of("target", "build", ".git");

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
    return files().stream()
        .filter(file -> file.toString().endsWith(".java"))
        .filter(file -> file.toString().contains("/src/"))
        .toList();
  }

  /// Every file; never what a build wrote.
  static List<Path> files() throws IOException {
    try (var files = Files.walk(root())) {
      return files.filter(SourceTree::isOurs).filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static boolean isOurs(Path file) {
    for (var part : root().relativize(file)) if (NOT_OURS.contains(part.toString())) return false;
    return true;
  }
}
