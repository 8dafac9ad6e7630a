package dev.berth.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Kubernetes' own command against the stack of a [Shell].
record Kubectl(Path program, Shell shell) {
  /// Where there is none, the test is left out.
  static Kubectl of(Shell shell) {
    var found =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .map(folder -> Path.of(folder, "kubectl"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(found.isPresent(), "no kubectl here");
    return new Kubectl(found.get(), shell);
  }

  /// What it prints, errors included.
  String run(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(program.toString());
    command.addAll(List.of("--kubeconfig", shell.home().resolve("kubeconfig").toString()));
    command.addAll(List.of("--cache-dir", shell.folder().resolve("cache").toString()));
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text;
  }

  /// Applies a manifest.
  String apply(String yaml) throws IOException, InterruptedException {
    var file = Files.createTempFile(shell.folder(), "manifest", ".yaml");
    return run("apply", "-f", Files.writeString(file, yaml).toString());
  }
}
