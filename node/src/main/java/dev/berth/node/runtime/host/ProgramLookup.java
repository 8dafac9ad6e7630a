package dev.berth.node.runtime.host;

import dev.berth.linux.file.Rooted;
import dev.berth.linux.sys.Descriptor;
import dev.berth.node.runtime.ContainerSpec;
import java.io.Serial;
import java.nio.file.Files;
import java.nio.file.Path;

/// Finds the program of a container before it is started: the answer of a failed exec would be lost
/// in the log.
final class ProgramLookup {
  private ProgramLookup() {}

  /// What to run.
  ///
  /// @return path inside, or relative to the working directory
  /// @throws MissingException it cannot run, as far as its file tells
  static String find(ContainerSpec spec, Rooted inside) {
    var program = spec.program().command().getFirst();
    if (program.contains("/")) {
      var path = Path.of(ContainerProgram.workingDirectory(spec)).resolve(program);
      try (var file =
          inside
              .open(path.toString())
              .orElseThrow(() -> new MissingException(program, "no such file or directory"))) {
        if (Files.isDirectory(file.asPath())) throw new MissingException(program, "is a directory");
        if (!Files.isExecutable(file.asPath()))
          throw new MissingException(program, "permission denied");
        return program;
      }
    }
    return ContainerProgram.path(spec).stream()
        .filter(folder -> folder.startsWith("/"))
        .map(folder -> folder + "/" + program)
        .filter(path -> inside.open(path).filter(ProgramLookup::runs).isPresent())
        .findFirst()
        .orElseThrow(() -> new MissingException(program, "executable file not found in $PATH"));
  }

  /// Closes it.
  private static boolean runs(Descriptor found) {
    try (var file = found) {
      return Files.isRegularFile(file.asPath()) && Files.isExecutable(file.asPath());
    }
  }

  /// There is no such program.
  static final class MissingException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    private MissingException(String program, String why) {
      super("exec: \"" + program + "\": " + why);
    }
  }
}
