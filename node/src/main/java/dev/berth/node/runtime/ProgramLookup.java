package dev.berth.node.runtime;

import dev.berth.linux.file.Rooted;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Whether the program of a container is there, asked before it is started: the answer of a failed
/// exec would be lost in the log.
final class ProgramLookup {
  private ProgramLookup() {}

  /// Why the program cannot run; empty: it can, as far as its file tells.
  static Optional<String> whyNot(ContainerSpec spec, Rooted inside) {
    var program = spec.program().command().getFirst();
    if (program.contains("/")) {
      var path = Path.of(InitScript.workingDirectory(spec)).resolve(program);
      return inside
          .find(path.toString())
          .map(file -> whyNot(program, file))
          .orElseGet(() -> Optional.of(said(program, "no such file or directory")));
    }
    boolean found =
        InitScript.path(spec).stream()
            .filter(folder -> !folder.isEmpty())
            .flatMap(folder -> inside.find(folder + "/" + program).stream())
            .anyMatch(file -> Files.isRegularFile(file) && Files.isExecutable(file));
    return found
        ? Optional.empty()
        : Optional.of(said(program, "executable file not found in $PATH"));
  }

  private static Optional<String> whyNot(String program, Path file) {
    if (Files.isDirectory(file)) return Optional.of(said(program, "is a directory"));
    if (!Files.isExecutable(file)) return Optional.of(said(program, "permission denied"));
    return Optional.empty();
  }

  private static String said(String program, String why) {
    return "exec: \"" + program + "\": " + why;
  }
}
