package dev.berth.node.runtime.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.node.runtime.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContainerProgramTest {
  /// The arguments of a process are everybody's to read, and so would be the file be.
  @Test
  void noValueOfTheEnvironmentIsSeenByOthers() throws Exception {
    var bench = ContainerBench.open();
    try {
      var spec =
          With.program(
              bench.script(""),
              new Program(
                  List.of("sh", "-c", "echo up; sleep 60"), Map.of("tls.key", "s3same"), ""));
      bench.runtime.start(spec);
      bench.awaitLog("up");
      var program = bench.layout.container("pod-1", "app").resolve("0/program");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(program)))
          .isEqualTo("rw-------");
      assertThat(Files.readString(program, StandardCharsets.ISO_8859_1)).contains("tls.key=s3same");
      try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
        for (var process : processes) assertThat(arguments(process)).doesNotContain("s3same");
      }
    } finally {
      bench.close();
    }
  }

  private static String arguments(Path process) {
    try {
      return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return "";
    }
  }
}
